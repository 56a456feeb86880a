func.func @main(%a0: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %m = tosa.reduce_max %a0 {axis = 1 : i32} : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %s = tosa.sub %a0, %m : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %e = tosa.exp %s : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %d = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %q = tosa.reciprocal %d : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %e, %q, %z : (tensor<2x8xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}
