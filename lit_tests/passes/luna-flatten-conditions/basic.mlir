// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-flatten-conditions))' | FileCheck %s
// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-compile)' -o %t

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

// -----

// What is nested in others becomes scf: upstream takes the outermost alone.
// CHECK-LABEL: @nest
// CHECK: tosa.cond_if %arg0
// CHECK: scf.while (%[[A:.*]] = %arg2) : (tensor<i32>) -> tensor<i32>
// CHECK: %[[G:.*]] = tosa.greater
// CHECK: %[[B:.*]] = tensor.extract %[[G]][] : tensor<i1>
// CHECK: scf.condition(%[[B]]) %[[A]] : tensor<i32>
// CHECK: %[[C:.*]] = tensor.extract %arg1[] : tensor<i1>
// CHECK: %[[I:.*]]:2 = scf.if %[[C]] -> (tensor<i32>, tensor<i32>)
// CHECK: scf.yield %[[I]]#1 : tensor<i32>
func.func @nest(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %r = tosa.cond_if %p : tensor<i1> -> tensor<i32> {
    %w = tosa.while_loop (%a = %x) : (tensor<i32>) -> tensor<i32> {
      %c = tosa.greater %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tosa.yield %c : tensor<i1>
    } do {
    ^bb0(%a: tensor<i32>):
      %i:2 = tosa.cond_if %q : tensor<i1> -> (tensor<i32>, tensor<i32>) {
        %n = tosa.sub %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
        tosa.yield %a, %n : tensor<i32>, tensor<i32>
      } else {
        tosa.yield %a, %one : tensor<i32>, tensor<i32>
      }
      tosa.yield %i#1 : tensor<i32>
    }
    tosa.yield %w : tensor<i32>
  } else {
    tosa.yield %x : tensor<i32>
  }
  return %r : tensor<i32>
}
