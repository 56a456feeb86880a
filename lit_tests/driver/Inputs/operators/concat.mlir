func.func @main(%a0: tensor<3x7xi8>, %a1: tensor<3x2xi8>) -> tensor<3x9xi8> {
  %r = tosa.concat %a0, %a1 {axis = 1 : i32} : (tensor<3x7xi8>, tensor<3x2xi8>) -> tensor<3x9xi8>
  return %r : tensor<3x9xi8>
}
