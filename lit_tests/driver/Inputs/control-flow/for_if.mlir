func.func @main(%x: tensor<4x16xi8>, %f: tensor<4xi1>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<4x16xi8>) {
    %c = tensor.extract %f[%i] : tensor<4xi1>
    %n = scf.if %c -> tensor<4x16xi8> {
      %t = tosa.clamp %a {min_val = -50 : i8, max_val = 50 : i8} : (tensor<4x16xi8>) -> tensor<4x16xi8>
      scf.yield %t : tensor<4x16xi8>
    } else {
      %t = tosa.add %a, %x : (tensor<4x16xi8>, tensor<4x16xi8>) -> tensor<4x16xi8>
      scf.yield %t : tensor<4x16xi8>
    }
    scf.yield %n : tensor<4x16xi8>
  }
  return %r : tensor<4x16xi8>
}
