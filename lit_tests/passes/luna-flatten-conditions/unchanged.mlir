// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-flatten-conditions))' | FileCheck %s

// CHECK-LABEL: @scalar
// CHECK-NOT: collapse_shape
func.func @scalar(%c: tensor<i1>, %x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %r = tosa.cond_if %c : tensor<i1> -> tensor<4xi8> {
    tosa.yield %x : tensor<4xi8>
  } else {
    tosa.yield %y : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
