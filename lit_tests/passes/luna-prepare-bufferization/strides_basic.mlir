// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization)' | FileCheck %s
// RUN: lunac run %s --random-input=1 --check | FileCheck %s --check-prefix=EQUAL

// What upstream finds no dropped dimension for, and where it finds the wrong one.
// CHECK-LABEL: func.func @main
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [1, 3, 1] [1, 1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 5, 2] [1, 8, 2, 1] [1, 1, 1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0, 2] [1, 3, 1] [1, 1, 1]
// EQUAL: 0 hazards; 1 runs equal the upstream CPU path bit for bit
func.func @main(%x: tensor<1x3x1xi8>, %y: tensor<1x8x7x4xf32>, %z: tensor<2x3x4xi8>) -> (tensor<3x1xi8>, tensor<8x2x1xf32>, tensor<2x3x4xi8>) {
  %a = tensor.extract_slice %x[0, 0, 0] [1, 3, 1] [1, 1, 3] : tensor<1x3x1xi8> to tensor<3x1xi8>
  %b = tensor.extract_slice %y[0, 0, 5, 2] [1, 8, 2, 1] [2, 1, 1, 3] : tensor<1x8x7x4xf32> to tensor<8x2x1xf32>
  %c = tensor.insert_slice %a into %z[1, 0, 2] [1, 3, 1] [2, 1, 3] : tensor<3x1xi8> into tensor<2x3x4xi8>
  return %a, %b, %c : tensor<3x1xi8>, tensor<8x2x1xf32>, tensor<2x3x4xi8>
}
