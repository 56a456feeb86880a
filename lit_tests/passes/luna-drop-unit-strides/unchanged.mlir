// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-drop-unit-strides))' | FileCheck %s

// Strides between several elements, and one that only the running program knows.
// CHECK-LABEL: func.func @main
// CHECK: tensor.extract_slice %{{.*}}[0, 1] [4, 2] [2, 3]
// CHECK: tensor.extract_slice %{{.*}}[0, 1] [1, 2] [%{{.*}}, 3]
func.func @main(%x: tensor<8x8xi8>, %n: index) -> (tensor<4x2xi8>, tensor<1x2xi8>) {
  %a = tensor.extract_slice %x[0, 1] [4, 2] [2, 3] : tensor<8x8xi8> to tensor<4x2xi8>
  %b = tensor.extract_slice %x[0, 1] [1, 2] [%n, 3] : tensor<8x8xi8> to tensor<1x2xi8>
  return %a, %b : tensor<4x2xi8>, tensor<1x2xi8>
}
