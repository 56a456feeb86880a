// More dimensions than a descriptor of the host core's operands has, of a part
// of an input: those of extent one and those that follow each other are joined.

// RUN: lunac run %s --random-input=3 --check | FileCheck %s
// RUN: lunac run %s --random-input=3 --check --kernel-sizes=argument | FileCheck %s
// CHECK: 0 hazards; 1 runs equal the upstream CPU path bit for bit
func.func @main(%x: tensor<6x4x2x3x6xf32>) -> tensor<6x1x1x2x1x6x2x3xf32> {
  %part = tensor.extract_slice %x[0, 0, 1, 0, 0] [6, 4, 1, 3, 6] [1, 1, 1, 1, 1] : tensor<6x4x2x3x6xf32> to tensor<6x4x3x6xf32>
  %wide = tensor.expand_shape %part [[0, 1], [2, 3], [4, 5], [6, 7]] output_shape [6, 1, 2, 2, 1, 3, 1, 6] : tensor<6x4x3x6xf32> into tensor<6x1x2x2x1x3x1x6xf32>
  %empty = tensor.empty() : tensor<6x1x1x2x1x6x2x3xf32>
  %r = linalg.transpose ins(%wide : tensor<6x1x2x2x1x3x1x6xf32>) outs(%empty : tensor<6x1x1x2x1x6x2x3xf32>) permutation = [0, 1, 4, 2, 6, 7, 3, 5]
  return %r : tensor<6x1x1x2x1x6x2x3xf32>
}
