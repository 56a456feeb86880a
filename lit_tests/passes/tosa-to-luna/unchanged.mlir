// RUN: luna-opt --pass-pipeline='builtin.module(func.func(tosa-to-luna))' %s | FileCheck %s

// CHECK-LABEL: func.func @conv_zero_point_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_zero_point_from_outside(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>, %z: tensor<1xi8>) -> tensor<1x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %z, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// Each image would have an operator of its own.
// CHECK-LABEL: func.func @conv_batch_of_65
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_batch_of_65(%x: tensor<65x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<65x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<65x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<65x4x4x2xi32>
  return %a : tensor<65x4x4x2xi32>
}

// CHECK-LABEL: func.func @fully_connected_batch_weight_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @fully_connected_batch_weight_from_outside(%x: tensor<65x1x1x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<65x1x1x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<65x1x1x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<65x1x1x2xi32>
  return %a : tensor<65x1x1x2xi32>
}

// CHECK-LABEL: func.func @conv_bias_in_a_resource_that_is_absent
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_bias_in_a_resource_that_is_absent(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %b = "tosa.const"() <{values = dense_resource<absent> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %b, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// Its type says one.
// CHECK-LABEL: func.func @conv_bias_in_a_resource_of_two_values
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_bias_in_a_resource_of_two_values(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %b = "tosa.const"() <{values = dense_resource<two> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %b, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @conv_dynamic_height
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_dynamic_height(%x: tensor<1x?x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x?x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x4x2xi32>
  return %a : tensor<1x?x4x2xi32>
}

// It cannot be spread at compile time.
// CHECK-LABEL: func.func @conv_bias_of_one_value_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_bias_of_one_value_from_outside(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>, %b: tensor<1xi32>) -> tensor<1x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %b, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @conv_f32
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_f32(%x: tensor<1x4x4x2xf32>, %w: tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32> {
  %c0 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %c1 = "tosa.const"() <{values = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %a = tosa.conv2d %x, %w, %c1, %c0, %c0 {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  return %a : tensor<1x4x4x2xf32>
}

// 48-bit results.
// CHECK-LABEL: func.func @conv_int16_without_rescale
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_int16_without_rescale(%x: tensor<1x4x4x2xi16>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi48> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi48>}> : () -> tensor<2xi48>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c2 {acc_type = i48, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<2x1x1x2xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  return %a : tensor<1x4x4x2xi48>
}

// One more than edge.mlir has.
// CHECK-LABEL: func.func @conv_int16_sums_beyond_32_bits
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_int16_sums_beyond_32_bits(%x: tensor<1x4x4x2xi16>) -> tensor<1x4x4x1xi16> {
  %c0 = "tosa.const"() <{values = dense<127> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %c1 = "tosa.const"() <{values = dense<2139160576> : tensor<1xi48>}> : () -> tensor<1xi48>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %c0, %c1, %c2, %c3 {acc_type = i48, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<1x1x1x2xi8>, tensor<1xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x1xi48>
  %c4 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c5 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c6 = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %r = tosa.rescale %a, %c4, %c5, %c6, %c2 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x1xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x1xi16>
  return %r : tensor<1x4x4x1xi16>
}

// Nothing bounds the sums.
// CHECK-LABEL: func.func @conv_int16_weight_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_int16_weight_from_outside(%x: tensor<1x4x4x2xi16>, %w: tensor<1x1x1x2xi8>) -> tensor<1x4x4x1xi16> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c2 {acc_type = i48, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<1x1x1x2xi8>, tensor<1xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x1xi48>
  %c3 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c4 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %a, %c3, %c4, %c0, %c1 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x1xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x1xi16>
  return %r : tensor<1x4x4x1xi16>
}

// CHECK-LABEL: func.func @conv_int16_bias_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_int16_bias_from_outside(%x: tensor<1x4x4x2xi16>, %b: tensor<1xi48>) -> tensor<1x4x4x1xi16> {
  %c0 = "tosa.const"() <{values = dense<1> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %c0, %b, %c1, %c2 {acc_type = i48, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<1x1x1x2xi8>, tensor<1xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x1xi48>
  %c3 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c4 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c5 = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %r = tosa.rescale %a, %c3, %c4, %c5, %c1 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x1xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x1xi16>
  return %r : tensor<1x4x4x1xi16>
}

// CHECK-LABEL: func.func @conv_int4_weight
// CHECK-NOT: luna.
// CHECK: return
func.func @conv_int4_weight(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi4>) -> tensor<1x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi4>}> : () -> tensor<1xi4>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi4>, tensor<2xi32>, tensor<1xi8>, tensor<1xi4>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @rescale_inexact
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.rescale %[[A]]
func.func @rescale_inexact(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = INEXACT_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @rescale_16_bit_multiplier_double_rounding
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.rescale %[[A]]
func.func @rescale_16_bit_multiplier_double_rounding(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = false, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi16>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @rescale_to_unsigned
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.rescale %[[A]]
func.func @rescale_to_unsigned(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = true} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @rescale_multiplier_from_outside
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.rescale %[[A]]
func.func @rescale_multiplier_from_outside(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>, %m: tensor<1xi32>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %m, %c2, %c3, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// TOSA allows 2 to 62.
// CHECK-LABEL: func.func @rescale_shift_below_2
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.rescale %[[A]]
func.func @rescale_shift_below_2(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @rescale_negative_multiplier
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.rescale %[[A]]
func.func @rescale_negative_multiplier(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<-5> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// Mode none does not clamp.
// CHECK-LABEL: func.func @clamp_of_32_bits
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.clamp %[[A]]
func.func @clamp_of_32_bits(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %k = tosa.clamp %a {min_val = 0 : i32, max_val = 6 : i32} : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
  return %k : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @matmul_f32
// CHECK-NOT: luna.
// CHECK: return
func.func @matmul_f32(%x: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %c0 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %a = tosa.matmul %x, %x, %c0, %c0 : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
  return %a : tensor<1x2x2xf32>
}

// CHECK-LABEL: func.func @matmul_zero_point_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @matmul_zero_point_from_outside(%x: tensor<1x2x2xi8>, %z: tensor<1xi8>) -> tensor<1x2x2xi32> {
  %a = tosa.matmul %x, %x, %z, %z : (tensor<1x2x2xi8>, tensor<1x2x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
  return %a : tensor<1x2x2xi32>
}

// CHECK-LABEL: func.func @sum_without_rescale
// CHECK-NOT: luna.
// CHECK: return
func.func @sum_without_rescale(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi32> {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  return %s : tensor<1x4xi32>
}

// luna.add has no table.
// CHECK-LABEL: func.func @sum_rescaled_per_channel
// CHECK-NOT: luna.
// CHECK: return
func.func @sum_rescaled_per_channel(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<[1073741824, 1610612736, 1073741824, 1073741824]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %c5 = "tosa.const"() <{values = dense<[33, 33, 33, 33]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %r = tosa.rescale %s, %c4, %c5, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @sum_of_five_dimensions
// CHECK-NOT: luna.
// CHECK: return
func.func @sum_of_five_dimensions(%x: tensor<1x1x1x2x4xi8>, %y: tensor<1x1x1x2x4xi8>) -> tensor<1x1x1x2x4xi8> {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2x4xi32>
  %s = tosa.add %a, %b : (tensor<1x1x1x2x4xi32>, tensor<1x1x1x2x4xi32>) -> tensor<1x1x1x2x4xi32>
  %c4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c4, %c5, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x2x4xi8>
  return %r : tensor<1x1x1x2x4xi8>
}

// A luna.add has one rounding for both.
// CHECK-LABEL: func.func @inputs_of_both_roundings
// CHECK-NOT: luna.
// CHECK: return
func.func @inputs_of_both_roundings(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c4, %c5, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// To luna that means "not scaled".
// CHECK-LABEL: func.func @input_multiplier_of_zero
// CHECK-NOT: luna.
// CHECK: return
func.func @input_multiplier_of_zero(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c0 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c3 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %b = tosa.rescale %y, %c3, %c1, %c2, %c0 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c4, %c5, %c0, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// 255 * 2^28 / 2^4 needs more than 32 bits.
// CHECK-LABEL: func.func @input_scale_that_overflows
// CHECK-NOT: luna.
// CHECK: return
func.func @input_scale_that_overflows(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.rescale %y, %c4, %c5, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c6 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c6, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @product_that_overflows
// CHECK-NOT: luna.
// CHECK: return
func.func @product_that_overflows(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<12> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.mul %a, %b, %c2 : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1xi8>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c4, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// Scaled inputs stay below 2^30, or the op stays.
// CHECK-LABEL: func.func @difference_of_large_inputs
// CHECK-NOT: luna.
// CHECK: return
func.func @difference_of_large_inputs(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.rescale %y, %c4, %c5, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.sub %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c6 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c6, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @product_with_shift
// CHECK-NOT: luna.
// CHECK: return
func.func @product_with_shift(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.mul %a, %b, %c4 : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1xi8>) -> tensor<1x4xi32>
  %c5 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c5, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @product_shift_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @product_shift_from_outside(%x: tensor<1x4xi8>, %s: tensor<1xi8>) -> tensor<1x4xi8> {
  %v = tosa.mul %x, %x, %s : (tensor<1x4xi8>, tensor<1x4xi8>, tensor<1xi8>) -> tensor<1x4xi32>
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %v, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @sum_of_inputs_rescaled_per_channel
// CHECK-NOT: luna.
// CHECK: return
func.func @sum_of_inputs_rescaled_per_channel(%x: tensor<1x2xi8>) -> tensor<1x2xi8> {
  %c0 = "tosa.const"() <{values = dense<[1073741824, 805306368]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<[29, 29]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x2xi32>
  %v = tosa.add %a, %a : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<1x2xi32>
  %c4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %v, %c4, %c5, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2xi8>
  return %r : tensor<1x2xi8>
}

// CHECK-LABEL: func.func @sum_of_a_cast_bool
// CHECK-NOT: luna.
// CHECK: return
func.func @sum_of_a_cast_bool(%x: tensor<1x4xi1>) -> tensor<1x4xi8> {
  %a = tosa.cast %x : (tensor<1x4xi1>) -> tensor<1x4xi32>
  %v = tosa.add %a, %a : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %v, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @sum_with_one_32_bit_input
// CHECK-NOT: luna.
// CHECK: return
func.func @sum_with_one_32_bit_input(%x: tensor<1x4xi8>, %y: tensor<1x4xi32>) -> tensor<1x4xi8> {
  %a = tosa.cast %x : (tensor<1x4xi8>) -> tensor<1x4xi32>
  %v = tosa.add %a, %y : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %v, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @sum_of_32_bit_tensors
// CHECK-NOT: luna.
// CHECK: return
func.func @sum_of_32_bit_tensors(%x: tensor<1x4xi32>, %y: tensor<1x4xi32>) -> tensor<1x4xi8> {
  %s = tosa.add %x, %y : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// An input made by another op.
// CHECK-LABEL: func.func @sum_of_a_quotient
// CHECK-NOT: luna.
// CHECK: return
func.func @sum_of_a_quotient(%x: tensor<1x4xi32>) -> tensor<1x4xi8> {
  %a = tosa.intdiv %x, %x : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %a : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @max_pool_f32
// CHECK-NOT: luna.
// CHECK: return
func.func @max_pool_f32(%x: tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32> {
  %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// CHECK-LABEL: func.func @max_pool_batch_of_65
// CHECK-NOT: luna.
// CHECK: return
func.func @max_pool_batch_of_65(%x: tensor<65x2x2x1xi8>) -> tensor<65x1x1x1xi8> {
  %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<65x2x2x1xi8>) -> tensor<65x1x1x1xi8>
  return %r : tensor<65x1x1x1xi8>
}

// CHECK-LABEL: func.func @avg_pool_zero_point_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @avg_pool_zero_point_from_outside(%x: tensor<1x2x2x1xi8>, %z: tensor<1xi8>) -> tensor<1x1x1x1xi8> {
  %r = tosa.avg_pool2d %x, %z, %z {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x1xi8>
  return %r : tensor<1x1x1x1xi8>
}

// CHECK-LABEL: func.func @table_from_outside
// CHECK-NOT: luna.
// CHECK: return
func.func @table_from_outside(%x: tensor<1x4xi8>, %t: tensor<256xi8>) -> tensor<1x4xi8> {
  %r = tosa.table %x, %t : (tensor<1x4xi8>, tensor<256xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @table_int16
// CHECK-NOT: luna.
// CHECK: return
func.func @table_int16(%x: tensor<1x4xi16>) -> tensor<1x4xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<513xi16>}> : () -> tensor<513xi16>
  %r = tosa.table %x, %c0 : (tensor<1x4xi16>, tensor<513xi16>) -> tensor<1x4xi32>
  return %r : tensor<1x4xi32>
}

// CHECK-LABEL: func.func @rescale_int8_to_int16
// CHECK-NOT: luna.
// CHECK: return
func.func @rescale_int8_to_int16(%x: tensor<1x4xi8>) -> tensor<1x4xi16> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %r = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi16>) -> tensor<1x4xi16>
  return %r : tensor<1x4xi16>
}

// CHECK-LABEL: func.func @rescale_int8_per_channel
// CHECK-NOT: luna.
// CHECK: return
func.func @rescale_int8_per_channel(%x: tensor<1x2xi8>) -> tensor<1x2xi8> {
  %c0 = "tosa.const"() <{values = dense<[1073741824, 805306368]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<[31, 31]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %x, %c0, %c1, %c2, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2xi8>
  return %r : tensor<1x2xi8>
}

// CHECK-LABEL: func.func @clamp_f32
// CHECK-NOT: luna.
// CHECK: return
func.func @clamp_f32(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// The host core moves data.
// CHECK-LABEL: func.func @data_movement
// CHECK: tosa.reshape
// CHECK: tosa.transpose
// CHECK: tosa.concat
// CHECK: tosa.pad
// CHECK: tosa.slice
// CHECK-NOT: luna.
// CHECK: return
func.func @data_movement(%x: tensor<1x2x2x1xi8>) -> tensor<3x2xi8> {
  %s0 = tosa.const_shape {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %a = tosa.reshape %x, %s0 : (tensor<1x2x2x1xi8>, !tosa.shape<2>) -> tensor<1x4xi8>
  %b = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<1x4xi8>) -> tensor<4x1xi8>
  %c = tosa.concat %b, %b {axis = 1 : i32} : (tensor<4x1xi8>, tensor<4x1xi8>) -> tensor<4x2xi8>
  %s4 = tosa.const_shape {values = dense<[0, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %d = tosa.pad %c, %s4, %c0 : (tensor<4x2xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<5x2xi8>
  %s7 = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %s8 = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %e = tosa.slice %d, %s7, %s8 : (tensor<5x2xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x2xi8>
  return %e : tensor<3x2xi8>
}

// No op of TOSA, nothing to do.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
func.func @empty() {
  return
}

{-#
  dialect_resources: {
    builtin: {
      two: "0x040000000100000002000000"
    }
  }
#-}
