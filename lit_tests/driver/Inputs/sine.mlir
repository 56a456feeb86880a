func.func @main(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = math.sin %x : tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}
