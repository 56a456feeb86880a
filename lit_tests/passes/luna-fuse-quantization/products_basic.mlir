// Products and averages: sums of int32, one multiplication.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fuse-quantization))' --split-input-file | FileCheck %s

// Rows times a constant are a convolution of one pixel, which takes the bias
// behind them: 0.5 in units of 0.25 * 0.5 is 4.
// CHECK-LABEL: func.func @rows
// CHECK-DAG: %[[B:.*]] = "tosa.const"() <{values = dense<[4, -8]> : tensor<2xi32>}>
// CHECK-DAG: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}1, 3]]], {{\[\[\[}}2, 4]]]]> : tensor<2x1x1x2xi8>}>
// CHECK: tosa.conv2d %{{.*}}, %[[W]], %[[B]]
// CHECK-SAME: -> tensor<3x1x1x2xi32>
// CHECK: linalg.generic
// CHECK: arith.constant 1.250000e-01 : f32
// CHECK: tosa.reshape {{.*}} -> tensor<3x2xi8>
// CHECK-NOT: tosa.add
func.func @rows(%q: tensor<1x3x2xi8>) -> tensor<3x2xi8> {
  %s = "tosa.const"() <{values = dense<0.25> : tensor<f32>}> : () -> tensor<f32>
  %sw = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %sy = "tosa.const"() <{values = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %w = "tosa.const"() <{values = dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi8>}> : () -> tensor<1x2x2xi8>
  %b = "tosa.const"() <{values = dense<[[0.5, -1.0]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shape = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %x = luna.dequantize %q, %s : (tensor<1x3x2xi8>, tensor<f32>) -> tensor<1x3x2xf32>
  %k = luna.dequantize %w, %sw : (tensor<1x2x2xi8>, tensor<f32>) -> tensor<1x2x2xf32>
  %m = tosa.matmul %x, %k, %zero, %zero : (tensor<1x3x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x2xf32>
  %r = tosa.reshape %m, %shape : (tensor<1x3x2xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
  %a = tosa.add %r, %b : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %y = luna.quantize %a, %sy : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xi8>
  return %y : tensor<3x2xi8>
}

// -----

// CHECK-LABEL: func.func @two_activations
// CHECK: tosa.matmul %arg0, %arg1
// CHECK-SAME: (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
func.func @two_activations(%p: tensor<2x3x4xi8>, %q: tensor<2x4x5xi8>) -> tensor<2x3x5xi8> {
  %s = "tosa.const"() <{values = dense<0.25> : tensor<f32>}> : () -> tensor<f32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %x = luna.dequantize %p, %s : (tensor<2x3x4xi8>, tensor<f32>) -> tensor<2x3x4xf32>
  %y = luna.dequantize %q, %s : (tensor<2x4x5xi8>, tensor<f32>) -> tensor<2x4x5xf32>
  %m = tosa.matmul %x, %y, %zero, %zero : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
  %r = luna.quantize %m, %s : (tensor<2x3x5xf32>, tensor<f32>) -> tensor<2x3x5xi8>
  return %r : tensor<2x3x5xi8>
}

// -----

// A result that stays float: integer sums all the same. Scales per channel of a
// depthwise kernel whose channels are two dimensions.
// CHECK-LABEL: func.func @float_result
// CHECK: %[[SUMS:.*]] = tosa.depthwise_conv2d %arg0{{.*}} -> tensor<1x2x2x4xi32>
// CHECK: %[[SCALES:.*]] = "tosa.const"() <{values = dense<[5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00]> : tensor<4xf32>}>
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %[[SCALES]]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.sitofp
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: linalg.yield
func.func @float_result(%q: tensor<1x2x2x2xi8>) -> tensor<1x2x2x4xf32> {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %sw = "tosa.const"() <{values = dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>}> : () -> tensor<1x1x2x2xf32>
  %w = "tosa.const"() <{values = dense<3> : tensor<1x1x2x2xi8>}> : () -> tensor<1x1x2x2xi8>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %x = luna.dequantize %q, %s : (tensor<1x2x2x2xi8>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %k = luna.dequantize %w, %sw : (tensor<1x1x2x2xi8>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %y = tosa.depthwise_conv2d %x, %k, %b, %zero, %zero {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x2xf32>, tensor<1x1x2x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x4xf32>
  return %y : tensor<1x2x2x4xf32>
}

// -----

// Averages: a product with ones, a depthwise convolution with ones.
// CHECK-LABEL: func.func @averages
// CHECK: %[[ONES:.*]] = "tosa.const"() <{values = dense<1> : tensor<1x1x4xi8>}>
// CHECK: tosa.matmul %[[ONES]], %{{.*}} -> tensor<1x1x3xi32>
// CHECK: arith.constant 2.500000e-01 : f32
// CHECK: tosa.reshape {{.*}} -> tensor<1x1x1x3xi8>
// CHECK: tosa.depthwise_conv2d {{.*}} -> tensor<1x1x1x3xi32>
func.func @averages(%q: tensor<1x2x2x3xi8>) -> (tensor<1x1x1x3xi8>, tensor<1x1x1x3xi8>) {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %quarter = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %x = luna.dequantize %q, %s : (tensor<1x2x2x3xi8>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %a = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<1x2x2x3xf32>) -> tensor<1x1x2x3xf32>
  %b = tosa.reduce_sum %a {axis = 2 : i32} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x3xf32>
  %m = tosa.mul %b, %quarter, %shift : (tensor<1x1x1x3xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x3xf32>
  %y = luna.quantize %m, %s : (tensor<1x1x1x3xf32>, tensor<f32>) -> tensor<1x1x1x3xi8>
  %p = tosa.avg_pool2d %x, %zero, %zero {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x3xf32>
  %z = luna.quantize %p, %s : (tensor<1x1x1x3xf32>, tensor<f32>) -> tensor<1x1x1x3xi8>
  return %y, %z : tensor<1x1x1x3xi8>, tensor<1x1x1x3xi8>
}

// -----

// A weight that is quantised from floats, one scale for each channel: the
// integers are computed here.
// CHECK-LABEL: func.func @float_weight
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}2, 127]]], {{\[\[\[}}-2, -4]]]]> : tensor<2x1x1x2xi8>}>
// CHECK: tosa.conv2d %arg0, %[[W]]
func.func @float_weight(%q: tensor<1x2x2x2xi8>) -> tensor<1x2x2x2xi8> {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %sw = "tosa.const"() <{values = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>}> : () -> tensor<2x1x1x1xf32>
  %w = "tosa.const"() <{values = dense<[[[[2.5, 200.0]]], [[[-1.0, -1.75]]]]> : tensor<2x1x1x2xf32>}> : () -> tensor<2x1x1x2xf32>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %x = luna.dequantize %q, %s : (tensor<1x2x2x2xi8>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %i = luna.quantize %w, %sw : (tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xi8>
  %k = luna.dequantize %i, %sw : (tensor<2x1x1x2xi8>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
  %y = tosa.conv2d %x, %k, %b, %zero, %zero {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  %r = luna.quantize %y, %s : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xi8>
  return %r : tensor<1x2x2x2xi8>
}
