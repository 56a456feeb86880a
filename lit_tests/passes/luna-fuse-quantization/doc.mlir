// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fuse-quantization))' | FileCheck %s

// A fully quantised network between its float ends: nothing else is float. The
// clamp is in the bounds of what rounds the sums, the transpose on int8, the
// sigmoid a table.
// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]] = luna.quantize %arg0
// CHECK: %[[LAST:.*]] = tosa.transpose %[[Q]] {{.*}} -> tensor<1x4x4x2xi8>
// CHECK: %[[SUMS:.*]] = tosa.conv2d %[[LAST]]
// CHECK-SAME: -> tensor<1x4x4x2xi32>
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%[[SUMS]]
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK: math.roundeven
// CHECK: arith.constant 3.000000e+00 : f32
// CHECK: arith.maximumf
// CHECK: arith.fptosi {{.*}} : f32 to i8
// CHECK: %[[TABLE:.*]] = tosa.table %[[X]]
// CHECK: %[[Y:.*]] = luna.dequantize %[[TABLE]]
// CHECK: return %[[Y]]
func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32> {
  %one = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %sx = "tosa.const"() <{values = dense<0.125> : tensor<f32>}> : () -> tensor<f32>
  %sw = "tosa.const"() <{values = dense<[[[[0.5]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>}> : () -> tensor<2x1x1x1xf32>
  %sy = "tosa.const"() <{values = dense<0.1> : tensor<f32>}> : () -> tensor<f32>
  %zy = "tosa.const"() <{values = dense<3> : tensor<i8>}> : () -> tensor<i8>
  %sz = "tosa.const"() <{values = dense<0.00390625> : tensor<f32>}> : () -> tensor<f32>
  %w = "tosa.const"() <{values = dense<[[[[1, 2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>

  %q = luna.quantize %x, %sx : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xi8>
  %d = luna.dequantize %q, %sx : (tensor<1x2x4x4xi8>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %t = tosa.transpose %d {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
  %k = luna.dequantize %w, %sw : (tensor<2x1x1x2xi8>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
  %c = tosa.conv2d %t, %k, %b, %one, %one {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %y = luna.quantize %r, %sy, %zy : (tensor<1x4x4x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x2xi8>
  %e = luna.dequantize %y, %sy, %zy : (tensor<1x4x4x2xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x2xf32>
  %s = tosa.sigmoid %e : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %z = luna.quantize %s, %sz : (tensor<1x4x4x2xf32>, tensor<f32>) -> tensor<1x4x4x2xi8>
  %f = luna.dequantize %z, %sz : (tensor<1x4x4x2xi8>, tensor<f32>) -> tensor<1x4x4x2xf32>
  return %f : tensor<1x4x4x2xf32>
}
