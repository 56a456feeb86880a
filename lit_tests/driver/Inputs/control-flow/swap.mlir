func.func @main(%x: tensor<16xi8>, %y: tensor<16xi8>) -> (tensor<16xi8>, tensor<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<16xi8>, tensor<16xi8>) {
    %t = tosa.add %a, %b : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi8>
    scf.yield %b, %t : tensor<16xi8>, tensor<16xi8>
  }
  return %r#0, %r#1 : tensor<16xi8>, tensor<16xi8>
}
