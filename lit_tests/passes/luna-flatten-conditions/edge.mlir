// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-flatten-conditions))' | FileCheck %s

// A condition of several dimensions.
// CHECK-LABEL: func.func @rank_3(
// CHECK: %[[C:.*]] = tensor.collapse_shape %{{.*}} [] : tensor<1x1x1xi1> into tensor<i1>
// CHECK: tosa.cond_if %[[C]] : tensor<i1>
func.func @rank_3(%c: tensor<1x1x1xi1>, %x: tensor<4xi8>) -> tensor<4xi8> {
  %r = tosa.cond_if %c : tensor<1x1x1xi1> -> tensor<4xi8> {
    tosa.yield %x : tensor<4xi8>
  } else {
    %y = tosa.abs %x : (tensor<4xi8>) -> tensor<4xi8>
    tosa.yield %y : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}

// A loop that carries nothing but its condition, in a branch without results.
// CHECK-LABEL: func.func @nested(
// CHECK: tosa.cond_if %{{.*}} : tensor<i1>
// CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (tensor<i1>) -> tensor<i1> {
// CHECK: %[[GOES:.*]] = tensor.extract %[[A]][] : tensor<i1>
// CHECK: scf.condition(%[[GOES]]) %[[A]] : tensor<i1>
// CHECK: scf.yield
func.func @nested(%c: tensor<i1>, %x: tensor<4xi8>) -> tensor<4xi8> {
  %r = tosa.cond_if %c : tensor<i1> -> tensor<4xi8> {
    %w = tosa.while_loop (%a = %c) : (tensor<i1>) -> tensor<i1> {
      tosa.yield %a : tensor<i1>
    } do {
    ^bb0(%a: tensor<i1>):
      %n = tosa.logical_not %a : (tensor<i1>) -> tensor<i1>
      tosa.yield %n : tensor<i1>
    }
    tosa.yield %x : tensor<4xi8>
  } else {
    tosa.yield %x : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
