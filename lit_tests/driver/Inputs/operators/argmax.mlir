func.func @main(%a0: tensor<3x7xi8>) -> tensor<3xi32> {
  %r = tosa.argmax %a0 {axis = 1 : i32} : (tensor<3x7xi8>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
