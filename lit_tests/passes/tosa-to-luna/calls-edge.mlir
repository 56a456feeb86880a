// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-luna{layout=calls}))' | FileCheck %s

// One axis alone; the channels of a depthwise kernel are innermost, and it keeps
// its padding before the input.
// CHECK-LABEL: func.func @depthwise(
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}1], [2]]], {{\[\[\[}}3], [4]]], {{\[\[\[}}0], [0]]], {{\[\[\[}}0], [0]]]]> : tensor<4x1x2x1xi8>}>
// CHECK: luna.conv2d ins(%{{.*}}, %[[W]]
// CHECK-SAME: pad = array<i64: 1, 2, 0, 0>
func.func @depthwise(%x: tensor<1x9x5x2xi8>) -> tensor<1x3x5x2xi8> {
  %w = "tosa.const"() <{values = dense<[[[[1], [2]]], [[[3], [4]]]]> : tensor<2x1x2x1xi8>}> : () -> tensor<2x1x2x1xi8>
  %o = tensor.empty() : tensor<1x3x5x2xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x9x5x2xi8>, tensor<2x1x2x1xi8>) outs(%o : tensor<1x3x5x2xi8>)
      {kind = 1 : i32, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 4, 1>, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x3x5x2xi8>
  return %r : tensor<1x3x5x2xi8>
}

// All weights are one constant; a table stays with its operator.
// CHECK-LABEL: func.func @splat(
// CHECK: "tosa.const"() <{values = dense<3> : tensor<2x1x1x4xi8>}>
// CHECK: luna.conv2d {{.*}} table(%{{.*}} : tensor<2x2xi32>)
func.func @splat(%x: tensor<1x1x4xi8>, %t: tensor<2x2xi32>) -> tensor<1x1x2xi8> {
  %w = "tosa.const"() <{values = dense<3> : tensor<1x2x4xi8>}> : () -> tensor<1x2x4xi8>
  %o = tensor.empty() : tensor<1x1x2xi8>
  %r = luna.matmul ins(%x, %w : tensor<1x1x4xi8>, tensor<1x2x4xi8>) table(%t : tensor<2x2xi32>) outs(%o : tensor<1x1x2xi8>)
      {rhs_transposed, requant = #luna.requant<mode = multiplier, per_channel = true>} -> tensor<1x1x2xi8>
  return %r : tensor<1x1x2xi8>
}
