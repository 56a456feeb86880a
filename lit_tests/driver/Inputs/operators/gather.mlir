func.func @main(%a0: tensor<1x5x4xi8>, %a1: tensor<1x3xi1>) -> tensor<1x3x4xi8> {
  %i = tosa.cast %a1 : (tensor<1x3xi1>) -> tensor<1x3xi32>
  %r = tosa.gather %a0, %i : (tensor<1x5x4xi8>, tensor<1x3xi32>) -> tensor<1x3x4xi8>
  return %r : tensor<1x3x4xi8>
}
