// RUN: luna-opt --pass-pipeline='builtin.module(func.func(tosa-to-luna))' %s | FileCheck %s

// One layer as the TensorFlow Lite converters write it: padding of its own, a
// convolution with 32-bit results, a rescale to int8, a ReLU6 as clamp. All of
// it is one operator of the unit; the reshape is left to the host core.

func.func @layer(%x: tensor<1x8x8x1xi8>) -> tensor<1x32xi8> {
  %pads = tosa.const_shape {values = dense<[0, 0, 0, 1, 0, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %x_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %padded = tosa.pad %x, %pads, %x_zp : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x9x9x1xi8>
  %weight = "tosa.const"() <{values = dense<3> : tensor<2x3x3x1xi8>}> : () -> tensor<2x3x3x1xi8>
  %bias = "tosa.const"() <{values = dense<[100, -100]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %w_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %acc = tosa.conv2d %padded, %weight, %bias, %x_zp, %w_zp {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x9x1xi8>, tensor<2x3x3x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %multiplier = "tosa.const"() <{values = dense<[1518500250, 1073741824]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shift = "tosa.const"() <{values = dense<[37, 36]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %acc_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %scaled = tosa.rescale %acc, %multiplier, %shift, %acc_zp, %x_zp {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %relu6 = tosa.clamp %scaled {min_val = -128 : i8, max_val = 50 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %shape = tosa.const_shape {values = dense<[1, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %relu6, %shape : (tensor<1x4x4x2xi8>, !tosa.shape<2>) -> tensor<1x32xi8>
  return %flat : tensor<1x32xi8>
}

// CHECK-LABEL: func.func @layer
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x8x1xi8>)
// CHECK-DAG: %[[W:.*]] = "tosa.const"() <{values = dense<3> : tensor<2x3x3x1xi8>}>
// CHECK-DAG: %[[B:.*]] = "tosa.const"() <{values = dense<[100, -100]> : tensor<2xi32>}>
// CHECK-DAG: %[[T:.*]] = "tosa.const"() <{values = dense<{{\[\[}}1518500250, 1073741824], [37, 36]]> : tensor<2x2xi32>}>
// CHECK: %[[O:.*]] = tensor.empty() : tensor<1x4x4x2xi8>
// CHECK: %[[R:.*]] = luna.conv2d ins(%[[X]], %[[W]] : tensor<1x8x8x1xi8>, tensor<2x3x3x1xi8>)
// CHECK-SAME: bias(%[[B]] : tensor<2xi32>) table(%[[T]] : tensor<2x2xi32>) outs(%[[O]] : tensor<1x4x4x2xi8>)
// CHECK-SAME: {input_zp = -128 : i32, pad = array<i64: 0, 1, 0, 1>,
// CHECK-SAME: requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true, zero_point = -128, clamp_max = 50>,
// CHECK-SAME: stride = array<i64: 2, 2>} -> tensor<1x4x4x2xi8>
// CHECK: tosa.reshape %[[R]]
// CHECK-NOT: tosa.conv2d
