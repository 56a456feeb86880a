// Two branches on one condition with an operator between them, and one on its
// negation inside another branch.
func.func @main(%x: tensor<1x64xi8>, %f: tensor<i1>, %g: tensor<i1>) -> tensor<1x64xi8> {
  %b = tensor.extract %f[] : tensor<i1>
  %c = tensor.extract %g[] : tensor<i1>
  %true = arith.constant true
  %not = arith.xori %b, %true : i1
  %0 = scf.if %b -> (tensor<1x64xi8>) {
    %t = tosa.clamp %x {min_val = 0 : i8, max_val = 100 : i8} : (tensor<1x64xi8>) -> tensor<1x64xi8>
    scf.yield %t : tensor<1x64xi8>
  } else {
    scf.yield %x : tensor<1x64xi8>
  }
  %between = tosa.reverse %0 {axis = 1 : i32} : (tensor<1x64xi8>) -> tensor<1x64xi8>
  %1 = scf.if %c -> (tensor<1x64xi8>) {
    %r = scf.if %not -> (tensor<1x64xi8>) {
      %s = tosa.reverse %between {axis = 1 : i32} : (tensor<1x64xi8>) -> tensor<1x64xi8>
      scf.yield %s : tensor<1x64xi8>
    } else {
      %s = tosa.clamp %between {min_val = -5 : i8, max_val = 5 : i8} : (tensor<1x64xi8>) -> tensor<1x64xi8>
      scf.yield %s : tensor<1x64xi8>
    }
    scf.yield %r : tensor<1x64xi8>
  } else {
    scf.yield %between : tensor<1x64xi8>
  }
  %2 = scf.if %b -> (tensor<1x64xi8>) {
    %r = tosa.reverse %1 {axis = 1 : i32} : (tensor<1x64xi8>) -> tensor<1x64xi8>
    scf.yield %r : tensor<1x64xi8>
  } else {
    scf.yield %1 : tensor<1x64xi8>
  }
  return %2 : tensor<1x64xi8>
}
