// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization)' | FileCheck %s

// A slice that a branch yields, reshaped, is copied; the value of the other
// branch is not.
// CHECK-LABEL: func.func @main
// CHECK: tensor.extract_slice
// CHECK: %[[S:.*]] = tensor.collapse_shape
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[S]]) {memory_space = 0 : i64} : tensor<4xi8>
// CHECK: scf.yield %[[COPY]]
// CHECK: else
// CHECK-NOT: alloc_tensor
func.func @main(%c: i1, %x: tensor<4x4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %r = scf.if %c -> tensor<4xi8> {
    %s = tensor.extract_slice %x[0, 1] [4, 1] [1, 1] : tensor<4x4xi8> to tensor<4x1xi8>
    %t = tensor.collapse_shape %s [[0, 1]] : tensor<4x1xi8> into tensor<4xi8>
    scf.yield %t : tensor<4xi8>
  } else {
    %a = arith.addi %y, %y : tensor<4xi8>
    scf.yield %a : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
