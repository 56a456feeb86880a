func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.mul %x, %x, %shift : (tensor<8xf32>, tensor<8xf32>, tensor<1xi8>) -> tensor<8xf32>
  %r = tosa.rsqrt %s : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
