// Functions of floats that the C libraries of the targets compute otherwise.
func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %log = math.log %x : tensor<64xf32>
  %sin = math.sin %x : tensor<64xf32>
  %pow = math.powf %x, %sin : tensor<64xf32>
  %erf = math.erf %x : tensor<64xf32>
  return %log, %sin, %pow, %erf : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
