func.func @main(%a0: tensor<1x4x6x8xi8>) -> tensor<1x4x6x8xi8> {
  %r = tosa.reverse %a0 {axis = 2 : i32} : (tensor<1x4x6x8xi8>) -> tensor<1x4x6x8xi8>
  return %r : tensor<1x4x6x8xi8>
}
