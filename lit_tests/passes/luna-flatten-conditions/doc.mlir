// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-flatten-conditions))' | FileCheck %s

func.func @main(%c: tensor<1xi1>, %x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %r = tosa.cond_if %c : tensor<1xi1> -> tensor<4xi8> {
    tosa.yield %x : tensor<4xi8>
  } else {
    tosa.yield %y : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}

// CHECK: %[[C:.*]] = tensor.collapse_shape %{{.*}} [] : tensor<1xi1> into tensor<i1>
// CHECK: tosa.cond_if %[[C]] : tensor<i1>
