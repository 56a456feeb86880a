func.func @main(%a0: tensor<1x5x4xi32>, %a1: tensor<1x2x4xi32>) -> tensor<1x5x4xi32> {
  %i = "tosa.const"() <{values = dense<[[3,1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %r = tosa.scatter %a0, %i, %a1 : (tensor<1x5x4xi32>, tensor<1x2xi32>, tensor<1x2x4xi32>) -> tensor<1x5x4xi32>
  return %r : tensor<1x5x4xi32>
}
