// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-drop-unit-strides))' | FileCheck %s

// CHECK: tensor.extract_slice %{{.*}}[0, 0, 2] [1, 4, 1] [1, 2, 1] : tensor<1x8x4xi8> to tensor<4xi8>
func.func @main(%x: tensor<1x8x4xi8>) -> tensor<4xi8> {
  %s = tensor.extract_slice %x[0, 0, 2] [1, 4, 1] [3, 2, 3] : tensor<1x8x4xi8> to tensor<4xi8>
  return %s : tensor<4xi8>
}
