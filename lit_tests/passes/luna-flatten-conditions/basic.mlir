// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-flatten-conditions))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-compile)' -o %t

// CHECK-LABEL: @loop
// CHECK: %[[C:.*]] = tosa.greater
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[C]] [] : tensor<1x1xi1> into tensor<i1>
// CHECK: tosa.yield %[[F]] : tensor<i1>
func.func @loop(%x: tensor<1x1xi32>) -> tensor<1x1xi32> {
  %one = "tosa.const"() <{values = dense<1> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %r = tosa.while_loop (%a = %x) : (tensor<1x1xi32>) -> tensor<1x1xi32> {
    %c = tosa.greater %a, %one : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    tosa.yield %c : tensor<1x1xi1>
  } do {
  ^bb0(%a: tensor<1x1xi32>):
    %n = tosa.sub %a, %one : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    tosa.yield %n : tensor<1x1xi32>
  }
  return %r : tensor<1x1xi32>
}
