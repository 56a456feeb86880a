// RUN: luna-opt --pass-pipeline='builtin.module(func.func(tosa-to-luna))' %s | FileCheck %s

// 2^30 >> 30 leaves the accumulator as it is.
// CHECK-LABEL: func.func @shift_of_zero
// CHECK: requant = #luna.requant<mode = shift>
func.func @shift_of_zero(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// The largest shift.
// CHECK-LABEL: func.func @shift_of_31
// CHECK: requant = #luna.requant<mode = shift, shift = 31>
func.func @shift_of_31(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<61> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// One more would leave no bit of the accumulator.
// CHECK-LABEL: func.func @shift_of_32_stays_a_multiplier
// CHECK: requant = #luna.requant<mode = multiplier, multiplier = 1073741824, shift = 62>
func.func @shift_of_32_stays_a_multiplier(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<62> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @shift_to_the_left_stays_a_multiplier
// CHECK: requant = #luna.requant<mode = multiplier, multiplier = 1073741824, shift = 29>
func.func @shift_to_the_left_stays_a_multiplier(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<29> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// Double rounding adds its term to shifts above 31 only.
// CHECK-LABEL: func.func @double_rounding_to_31_is_single
// CHECK: requant = #luna.requant<mode = shift, shift = 1>
func.func @double_rounding_to_31_is_single(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// acc = 1: double rounding gives 1, LUNA's shift by 2 gives 0.
// CHECK-LABEL: func.func @double_rounding_above_31_differs
// CHECK: requant = #luna.requant<mode = multiplier, rounding = double, multiplier = 1073741824, shift = 32>
func.func @double_rounding_above_31_differs(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @smallest_multiplier
// CHECK: requant = #luna.requant<mode = shift, shift = 2>
func.func @smallest_multiplier(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @multiplier_of_zero
// CHECK: requant = #luna.requant<mode = multiplier, shift = 2, zero_point = 3>
func.func @multiplier_of_zero(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %a, %c2, %c3, %c2, %c4 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @equal_channels_are_per_tensor
// CHECK: requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 40>
func.func @equal_channels_are_per_tensor(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1234567890> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c3 = "tosa.const"() <{values = dense<40> : tensor<2xi8>}> : () -> tensor<2xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @one_double_channel_makes_all_double
// CHECK: "tosa.const"() <{values = dense<{{\[\[}}5, 6], [31, 32]]> : tensor<2x2xi32>}>
// CHECK: requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>
func.func @one_double_channel_makes_all_double(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<[5, 6]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c3 = "tosa.const"() <{values = dense<[31, 32]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @output_of_16_bits
// CHECK: outs(%{{.*}} : tensor<1x4x4x2xi16>)
// CHECK-SAME: requant = #luna.requant<mode = shift, shift = 1, clamp_min = -32768, clamp_max = 32767>
func.func @output_of_16_bits(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi16> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c5 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
  return %r : tensor<1x4x4x2xi16>
}

// CHECK-LABEL: func.func @output_of_32_bits
// CHECK: outs(%{{.*}} : tensor<1x4x4x2xi32>)
// CHECK-SAME: requant = #luna.requant<mode = shift, shift = 1, clamp_min = -2147483648, clamp_max = 2147483647>
func.func @output_of_32_bits(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c4 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
  return %r : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @two_clamps
// CHECK: requant = #luna.requant<mode = shift, shift = 1, clamp_min = -5, clamp_max = 9>
// CHECK-NOT: tosa.clamp
func.func @two_clamps(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %k0 = tosa.clamp %r {min_val = -20 : i8, max_val = 9 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %k1 = tosa.clamp %k0 {min_val = -5 : i8, max_val = 50 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %k1 : tensor<1x4x4x2xi8>
}

// The second clamp lies above the first: one value is left.
// CHECK-LABEL: func.func @disjoint_clamps
// CHECK: requant = #luna.requant<mode = shift, shift = 1, clamp_min = 50, clamp_max = 50>
func.func @disjoint_clamps(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %k0 = tosa.clamp %r {min_val = -20 : i8, max_val = 9 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %k1 = tosa.clamp %k0 {min_val = 50 : i8, max_val = 60 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %k1 : tensor<1x4x4x2xi8>
}

// The unclamped result is needed too.
// CHECK-LABEL: func.func @clamp_beside_another_user
// CHECK: %[[R:.*]] = luna.conv2d
// CHECK: %[[K:.*]] = luna.table ins(%[[R]]
// CHECK: return %[[R]], %[[K]]
func.func @clamp_beside_another_user(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %k = tosa.clamp %r {min_val = 0 : i8, max_val = 6 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %r, %k : tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>
}

// Nothing is computed twice: the host core requantises.
// CHECK-LABEL: func.func @accumulators_with_two_users
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: outs(%{{.*}} : tensor<1x4x4x2xi32>)
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.rescale %[[A]]
// CHECK: tosa.rescale %[[A]]
func.func @accumulators_with_two_users(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %c5 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %q = tosa.rescale %a, %c2, %c5, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r, %q : tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @bias_of_one_value_is_spread
// CHECK: %[[B:.*]] = "tosa.const"() <{values = dense<7> : tensor<2xi32>}>
// CHECK: bias(%[[B]] : tensor<2xi32>)
func.func @bias_of_one_value_is_spread(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<7> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @zero_bias_of_one_value_is_dropped
// CHECK-NOT: bias(
// CHECK: return
func.func @zero_bias_of_one_value_is_dropped(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @bias_from_outside
// CHECK: bias(%arg2 : tensor<2xi32>)
func.func @bias_from_outside(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>, %b: tensor<2xi32>) -> tensor<1x4x4x2xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %b, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @bias_computed
// CHECK: %[[B:.*]] = tosa.add
// CHECK: bias(%[[B]] : tensor<2xi32>)
func.func @bias_computed(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>, %b: tensor<2xi32>) -> tensor<1x4x4x2xi32> {
  %bb = tosa.add %b, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %bb, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// Later passes need their bytes.
// CHECK-LABEL: func.func @constants_in_resources
// CHECK-DAG: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}1, 2]]], {{\[\[\[}}3, -4]]]]> : tensor<2x1x1x2xi8>}>
// CHECK-DAG: %[[B:.*]] = "tosa.const"() <{values = dense<[5, -6]> : tensor<2xi32>}>
// CHECK: luna.conv2d ins(%arg0, %[[W]] :
// CHECK-SAME: bias(%[[B]] :
func.func @constants_in_resources(%x: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi32> {
  %w = "tosa.const"() <{values = dense_resource<weight> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %b = "tosa.const"() <{values = dense_resource<bias> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %b, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @constants_of_arith
// CHECK: luna.conv2d
// CHECK-SAME: input_zp = -128 : i32
func.func @constants_of_arith(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %z = arith.constant dense<-128> : tensor<1xi8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %z, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @dilation_and_channel_multiplier
// CHECK: luna.conv2d
// CHECK-SAME: dilation = array<i64: 2, 2>
// CHECK-SAME: kind = 1 : i32
func.func @dilation_and_channel_multiplier(%x: tensor<1x7x7x2xi8>, %w: tensor<3x3x2x3xi8>) -> tensor<1x3x3x6xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<6xi32>}> : () -> tensor<6xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.depthwise_conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 2, 2>} : (tensor<1x7x7x2xi8>, tensor<3x3x2x3xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x6xi32>
  return %a : tensor<1x3x3x6xi32>
}

// A weight that is no constant is not reshaped.
// CHECK-LABEL: func.func @fully_connected_weight_from_outside
// CHECK: luna.conv2d
func.func @fully_connected_weight_from_outside(%x: tensor<1x1x1x2xi8>, %w: tensor<3x1x1x2xi8>) -> tensor<1x1x1x3xi32> {
  %c0 = "tosa.const"() <{values = dense<1> : tensor<3xi32>}> : () -> tensor<3xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x3xi32>
  return %a : tensor<1x1x1x3xi32>
}

// The unit takes one image at a time; each keeps the padding.
// CHECK-LABEL: func.func @conv_batch
// CHECK: %[[A:.*]] = tosa.slice %arg0, %{{.*}} -> tensor<1x4x4x2xi8>
// CHECK: %[[X:.*]] = luna.conv2d ins(%[[A]], %arg1 : {{.*}}pad = array<i64: 1, 0, 1, 0>
// CHECK: %[[B:.*]] = tosa.slice %arg0, %{{.*}} -> tensor<1x4x4x2xi8>
// CHECK: %[[Y:.*]] = luna.conv2d ins(%[[B]], %arg1 : {{.*}}pad = array<i64: 1, 0, 1, 0>
// CHECK: tosa.concat %[[X]], %[[Y]] {axis = 0 : i32}
func.func @conv_batch(%x: tensor<2x4x4x2xi8>, %w: tensor<3x3x3x2xi8>) -> tensor<2x3x3x3xi32> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.const_shape {values = dense<[0, 0, 1, 0, 1, 0, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %padded = tosa.pad %x, %p, %c1 : (tensor<2x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<2x5x5x2xi8>
  %a = tosa.conv2d %padded, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<2x5x5x2xi8>, tensor<3x3x3x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x3x3xi32>
  return %a : tensor<2x3x3x3xi32>
}

// CHECK-LABEL: func.func @max_pool_batch
// CHECK-COUNT-3: luna.max_pool2d
// CHECK: tosa.concat %{{.*}}, %{{.*}}, %{{.*}} {axis = 0 : i32}
func.func @max_pool_batch(%x: tensor<3x2x2x1xi8>) -> tensor<3x1x1x1xi8> {
  %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<3x2x2x1xi8>) -> tensor<3x1x1x1xi8>
  return %r : tensor<3x1x1x1xi8>
}

// The batch becomes rows.
// CHECK-LABEL: func.func @fully_connected_batch
// CHECK: %[[X:.*]] = tosa.reshape %arg0, %{{.*}} : (tensor<5x1x1x2xi8>, !tosa.shape<3>) -> tensor<1x5x2xi8>
// CHECK: luna.matmul ins(%[[X]]
// CHECK-SAME: outs(%{{.*}} : tensor<1x5x3xi32>)
// CHECK: tosa.reshape %{{.*}} -> tensor<5x1x1x3xi32>
func.func @fully_connected_batch(%x: tensor<5x1x1x2xi8>) -> tensor<5x1x1x3xi32> {
  %c0 = "tosa.const"() <{values = dense<1> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2xi8>
  %c1 = "tosa.const"() <{values = dense<1> : tensor<3xi32>}> : () -> tensor<3xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %c0, %c1, %c2, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<5x1x1x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<5x1x1x3xi32>
  return %a : tensor<5x1x1x3xi32>
}

// CHECK-LABEL: func.func @fully_connected_spread_bias
// CHECK: luna.matmul
// CHECK-SAME: bias(%{{.*}} : tensor<3xi32>)
func.func @fully_connected_spread_bias(%x: tensor<1x1x1x2xi8>) -> tensor<1x1x1x3xi32> {
  %c0 = "tosa.const"() <{values = dense<1> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2xi8>
  %c1 = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %c0, %c1, %c2, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x2xi8>, tensor<3x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x3xi32>
  return %a : tensor<1x1x1x3xi32>
}

// CHECK-LABEL: func.func @one_pixel_with_padding_is_no_fully_connected_layer
// CHECK: luna.conv2d
// CHECK-SAME: pad = array<i64: 0, 0, 1, 0>
func.func @one_pixel_with_padding_is_no_fully_connected_layer(%x: tensor<1x1x1x2xi8>) -> tensor<1x1x2x3xi32> {
  %c0 = "tosa.const"() <{values = dense<1> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2xi8>
  %c1 = "tosa.const"() <{values = dense<1> : tensor<3xi32>}> : () -> tensor<3xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %c0, %c1, %c2, %c2 {acc_type = i32, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x2x3xi32>
  return %a : tensor<1x1x2x3xi32>
}

// CHECK-LABEL: func.func @fully_connected_32_bit_result
// CHECK: luna.matmul
// CHECK-SAME: outs(%{{.*}} : tensor<1x1x3xi32>)
// CHECK-SAME: requant = #luna.requant<>
func.func @fully_connected_32_bit_result(%x: tensor<1x1x1x2xi8>) -> tensor<1x1x1x3xi32> {
  %c0 = "tosa.const"() <{values = dense<1> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2xi8>
  %c1 = "tosa.const"() <{values = dense<1> : tensor<3xi32>}> : () -> tensor<3xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %c0, %c1, %c2, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x3xi32>
  return %a : tensor<1x1x1x3xi32>
}

// It is computed in the sum and, for the other, on the host core.
// CHECK-LABEL: func.func @input_rescale_with_another_user
// CHECK: %[[A:.*]] = tosa.rescale
// CHECK: %[[R:.*]] = luna.add ins(%arg0, %arg1
// CHECK: return %[[R]], %[[A]]
func.func @input_rescale_with_another_user(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> (tensor<1x4xi8>, tensor<1x4xi32>) {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<671088640> : tensor<1xi32>}> : () -> tensor<1xi32>
  %b = tosa.rescale %y, %c4, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c6 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c5, %c6, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r, %a : tensor<1x4xi8>, tensor<1x4xi32>
}

// CHECK-LABEL: func.func @sum_with_clamp
// CHECK: luna.add
// CHECK-SAME: clamp_min = 0, clamp_max = 6>
func.func @sum_with_clamp(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<671088640> : tensor<1xi32>}> : () -> tensor<1xi32>
  %b = tosa.rescale %y, %c4, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c6 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c5, %c6, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  %k = tosa.clamp %r {min_val = 0 : i8, max_val = 6 : i8} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  return %k : tensor<1x4xi8>
}

// Up to a shift of 31 either rounding will do.
// CHECK-LABEL: func.func @one_double_input
// CHECK: luna.add
// CHECK-SAME: input_rounding = 1 : i32
func.func @one_double_input(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<671088640> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.rescale %y, %c4, %c5, %c2, %c3 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c6, %c7, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// 255 * 2^22 is within 30 bits.
// CHECK-LABEL: func.func @largest_input_scale
// CHECK: luna.add
func.func @largest_input_scale(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c4, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @shift_of_sum
// CHECK: luna.sub
// CHECK-SAME: requant = #luna.requant<mode = shift, shift = 3>
func.func @shift_of_sum(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.sub %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c4, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// tosa.mul takes int8 as it is.
// CHECK-LABEL: func.func @product_of_int8
// CHECK: luna.mul ins(%arg0, %arg1
// CHECK-SAME: {requant = #luna.requant<mode = shift, shift = 7>}
func.func @product_of_int8(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.mul %x, %y, %c0 : (tensor<1x4xi8>, tensor<1x4xi8>, tensor<1xi8>) -> tensor<1x4xi32>
  %c1 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %s, %c1, %c2, %c3, %c0 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @sum_of_one_tensor
// CHECK: luna.add ins(%arg0, %arg0
func.func @sum_of_one_tensor(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %a : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c4, %c3, %c5 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @product_of_rescaled_inputs
// CHECK: luna.mul
func.func @product_of_rescaled_inputs(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<29> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.mul %a, %b, %c2 : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1xi8>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c0, %c4, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @identity_rescale_vanishes
// CHECK-NEXT: return %arg0
func.func @identity_rescale_vanishes(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %x, %c0, %c1, %c2, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @full_clamp_vanishes
// CHECK-NEXT: return %arg0
func.func @full_clamp_vanishes(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %r = tosa.clamp %x {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// A function of one int8 value whatever it passes through.
// CHECK-LABEL: func.func @chain_through_32_bits
// CHECK-COUNT-1: luna.table
// CHECK-NOT: luna.table
// CHECK: return
func.func @chain_through_32_bits(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %k = tosa.clamp %a {min_val = 0 : i32, max_val = 9999 : i32} : (tensor<1x4xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c5 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.rescale %k, %c0, %c4, %c3, %c5 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %b : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @chain_with_another_user_is_cut
// CHECK: %[[A:.*]] = luna.table ins(%arg0
// CHECK: %[[B:.*]] = luna.table ins(%[[A]]
// CHECK: return %[[A]], %[[B]]
func.func @chain_with_another_user_is_cut(%x: tensor<1x4xi8>) -> (tensor<1x4xi8>, tensor<1x4xi8>) {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4xi8>
  %b = tosa.clamp %a {min_val = 0 : i8, max_val = 6 : i8} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  return %a, %b : tensor<1x4xi8>, tensor<1x4xi8>
}

// CHECK-LABEL: func.func @splat_table
// CHECK: values = dense<5> : tensor<256xi8>
// CHECK: luna.table
func.func @splat_table(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<5> : tensor<256xi8>}> : () -> tensor<256xi8>
  %r = tosa.table %x, %c0 : (tensor<1x4xi8>, tensor<256xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// Back from the table the first int8 value is the convolution's result.
// CHECK-LABEL: func.func @table_behind_a_convolution
// CHECK: %[[R:.*]] = luna.conv2d
// CHECK: luna.table ins(%[[R]]
func.func @table_behind_a_convolution(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c3 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %c5 = "tosa.const"() <{values = dense<5> : tensor<256xi8>}> : () -> tensor<256xi8>
  %t = tosa.table %r, %c5 : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8>
  return %t : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @pad_alone
// CHECK-NOT: tosa.pad
// CHECK-NOT: tosa.slice
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: pad = array<i64: 1, 1, 1, 1>
func.func @pad_alone(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x8x8x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p0 = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x10x10x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p0, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  return %a : tensor<1x8x8x1xi32>
}

// Two channels are the fewest that can be padded: one is repeated.
// CHECK-LABEL: func.func @sum_of_two_padded_channels
// CHECK: luna.add ins(%arg0, %arg1 : tensor<2x2xi8>, tensor<2x4xi8>)
func.func @sum_of_two_padded_channels(%x: tensor<2x2xi8>, %y: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<2x2xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<2x4xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %p, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %b = tosa.rescale %y, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %c = tosa.add %a, %b : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %t = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %t, %z, %xz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

// CHECK-LABEL: func.func @sum_of_one_padded_channel
// CHECK: tosa.pad
// CHECK: luna.add ins(%{{.*}}, %arg1 : tensor<2x4xi8>, tensor<2x4xi8>)
func.func @sum_of_one_padded_channel(%x: tensor<2x1xi8>, %y: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 0, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<2x1xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<2x4xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %p, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %b = tosa.rescale %y, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %c = tosa.add %a, %b : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %t = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %t, %z, %xz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

// CHECK-LABEL: func.func @sum_of_channels_padded_in_front
// CHECK: tosa.pad
// CHECK: luna.add ins(%{{.*}}, %arg1 : tensor<2x4xi8>, tensor<2x4xi8>)
func.func @sum_of_channels_padded_in_front(%x: tensor<2x3xi8>, %y: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<2x4xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %p, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %b = tosa.rescale %y, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %c = tosa.add %a, %b : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %t = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %t, %z, %xz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

// CHECK-LABEL: func.func @sum_of_padded_rows
// CHECK: tosa.pad
// CHECK: luna.add ins(%{{.*}}, %arg1 : tensor<2x4xi8>, tensor<2x4xi8>)
func.func @sum_of_padded_rows(%x: tensor<1x3xi8>, %y: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %s = tosa.const_shape {values = dense<[0, 1, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<1x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<2x4xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %p, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %b = tosa.rescale %y, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %c = tosa.add %a, %b : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %t = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %t, %z, %xz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

// CHECK-LABEL: func.func @sum_of_channels_padded_with_another_value
// CHECK: tosa.pad
// CHECK: luna.add ins(%{{.*}}, %arg1 : tensor<2x4xi8>, tensor<2x4xi8>)
func.func @sum_of_channels_padded_with_another_value(%x: tensor<2x3xi8>, %y: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<2x4xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %p, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %b = tosa.rescale %y, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %c = tosa.add %a, %b : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %t = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %t, %z, %xz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

// CHECK-LABEL: func.func @sum_of_padded_channels_that_are_a_result
// CHECK: tosa.pad
// CHECK: luna.add ins(%{{.*}}, %arg1 : tensor<2x4xi8>, tensor<2x4xi8>)
func.func @sum_of_padded_channels_that_are_a_result(%x: tensor<2x3xi8>, %y: tensor<2x4xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>) {
  %s = tosa.const_shape {values = dense<[0, 0, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<2x4xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %p, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %b = tosa.rescale %y, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %c = tosa.add %a, %b : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %t = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %t, %z, %xz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  return %r, %p : tensor<2x4xi8>, tensor<2x4xi8>
}

// A pad with the lowest value is the padding of a max pooling.
// CHECK-LABEL: func.func @max_pool_of_padded_rows
// CHECK-NOT: tosa.
// CHECK: luna.max_pool2d ins(%arg0 : tensor<1x4x4x2xi8>)
// CHECK-SAME: pad = array<i64: 1, 1, 1, 0>
func.func @max_pool_of_padded_rows(%x: tensor<1x4x4x2xi8>) -> tensor<1x4x3x2xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 0, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<1x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x5x4x2xi8>
  %r = tosa.max_pool2d %p {kernel = array<i64: 3, 3>, pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x4x2xi8>) -> tensor<1x4x3x2xi8>
  return %r : tensor<1x4x3x2xi8>
}

// CHECK-LABEL: func.func @max_pool_of_zeros
// CHECK: tosa.pad
// CHECK: luna.max_pool2d ins(%{{.*}} : tensor<1x5x5x2xi8>)
func.func @max_pool_of_zeros(%x: tensor<1x4x4x2xi8>) -> tensor<1x3x3x2xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %v = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<1x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x5x5x2xi8>
  %r = tosa.max_pool2d %p {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xi8>) -> tensor<1x3x3x2xi8>
  return %r : tensor<1x3x3x2xi8>
}

// CHECK-LABEL: func.func @max_pool_of_a_window_of_padding
// CHECK: tosa.pad
// CHECK: luna.max_pool2d ins(%{{.*}} : tensor<1x6x5x2xi8>)
func.func @max_pool_of_a_window_of_padding(%x: tensor<1x4x4x2xi8>) -> tensor<1x5x3x2xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 2, 0, 0, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<1x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x5x2xi8>
  %r = tosa.max_pool2d %p {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x5x2xi8>) -> tensor<1x5x3x2xi8>
  return %r : tensor<1x5x3x2xi8>
}

// CHECK-LABEL: func.func @max_pool_of_padded_channels
// CHECK: tosa.pad
// CHECK: luna.max_pool2d ins(%{{.*}} : tensor<1x5x5x2xi8>)
func.func @max_pool_of_padded_channels(%x: tensor<1x4x4x1xi8>) -> tensor<1x3x3x2xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 1, 0, 1]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<1x4x4x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x5x5x2xi8>
  %r = tosa.max_pool2d %p {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xi8>) -> tensor<1x3x3x2xi8>
  return %r : tensor<1x3x3x2xi8>
}

// An average counts its padding, which is no padding of its sums.
// CHECK-LABEL: func.func @average_of_padded_rows
// CHECK: tosa.pad
// CHECK: luna.conv2d ins(%{{.*}} : tensor<1x5x5x2xi8>, tensor<3x3x2x1xi8>)
func.func @average_of_padded_rows(%x: tensor<1x4x4x2xi8>) -> tensor<1x3x3x2xi8> {
  %s = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<1x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x5x5x2xi8>
  %r = tosa.avg_pool2d %p, %v, %v {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x2xi8>
  return %r : tensor<1x3x3x2xi8>
}

// CHECK-LABEL: func.func @pad_before_a_padded_convolution
// CHECK-NOT: tosa.pad
// CHECK-NOT: tosa.slice
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: pad = array<i64: 2, 2, 2, 2>
func.func @pad_before_a_padded_convolution(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x10x10x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p0 = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x10x10x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p0, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x10x10x1xi32>
  return %a : tensor<1x10x10x1xi32>
}

// CHECK-LABEL: func.func @pad_before_a_depthwise_convolution
// CHECK-NOT: tosa.pad
// CHECK-NOT: tosa.slice
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: pad = array<i64: 1, 0, 1, 0>
func.func @pad_before_a_depthwise_convolution(%x: tensor<1x8x8x1xi8>, %w: tensor<3x3x1x1xi8>) -> tensor<1x4x4x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 0, 1, 0, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p0 = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x9x9x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.depthwise_conv2d %p0, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x9x1xi8>, tensor<3x3x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  return %a : tensor<1x4x4x1xi32>
}

// A 1x1 kernel of stride 2 stops before the last row.
// CHECK-LABEL: func.func @slice_of_rows_never_read
// CHECK-NOT: tosa.slice
// CHECK: luna.conv2d ins(%arg0
// CHECK-NOT: pad =
func.func @slice_of_rows_never_read(%x: tensor<1x8x8x1xi8>, %w: tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s1 = tosa.const_shape {values = dense<[1, 7, 7, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p0 = tosa.slice %x, %s0, %s1 : (tensor<1x8x8x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x7x1xi8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p0, %w, %c0, %c1, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x7x7x1xi8>, tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  return %a : tensor<1x4x4x1xi32>
}

// CHECK-LABEL: func.func @slice_takes_padding_from_both_ends
// CHECK-NOT: tosa.pad
// CHECK-NOT: tosa.slice
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: pad = array<i64: 1, 0, 1, 0>
func.func @slice_takes_padding_from_both_ends(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x4x4x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 2, 2, 2, 2, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p0 = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x12x12x1xi8>
  %s3 = tosa.const_shape {values = dense<[0, 1, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s4 = tosa.const_shape {values = dense<[1, 9, 9, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p1 = tosa.slice %p0, %s3, %s4 : (tensor<1x12x12x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x9x9x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p1, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x9x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  return %a : tensor<1x4x4x1xi32>
}

// Reads reach row 6 of 8: the row cut off is not missed.
// CHECK-LABEL: func.func @pad_of_a_slice_of_rows_never_read
// CHECK-NOT: tosa.pad
// CHECK-NOT: tosa.slice
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: pad = array<i64: 1, 0, 1, 0>
func.func @pad_of_a_slice_of_rows_never_read(%x: tensor<1x8x8x1xi8>, %w: tensor<1x2x2x1xi8>) -> tensor<1x3x3x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s1 = tosa.const_shape {values = dense<[1, 7, 7, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p0 = tosa.slice %x, %s0, %s1 : (tensor<1x8x8x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x7x1xi8>
  %s3 = tosa.const_shape {values = dense<[0, 0, 1, 0, 1, 0, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p1 = tosa.pad %p0, %s3, %c0 : (tensor<1x7x7x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x8x8x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p1, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 3, 3>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x1xi32>
  return %a : tensor<1x3x3x1xi32>
}

// The convolution reads zero points where the rows cut off would be.
// CHECK-LABEL: func.func @last_rows_that_are_needed_stay_cut
// CHECK: tosa.slice
// CHECK: luna.conv2d
// CHECK-SAME: pad = array<i64: 1, 1, 1, 1>
func.func @last_rows_that_are_needed_stay_cut(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x7x7x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s1 = tosa.const_shape {values = dense<[1, 7, 7, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p0 = tosa.slice %x, %s0, %s1 : (tensor<1x8x8x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x7x1xi8>
  %s3 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p1 = tosa.pad %p0, %s3, %c0 : (tensor<1x7x7x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x9x9x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p1, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x9x9x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x7x1xi32>
  return %a : tensor<1x7x7x1xi32>
}

// No padding says "start later".
// CHECK-LABEL: func.func @first_rows_stay_cut
// CHECK: tosa.slice
// CHECK: luna.conv2d
func.func @first_rows_stay_cut(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x3x3x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 1, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s1 = tosa.const_shape {values = dense<[1, 7, 7, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p0 = tosa.slice %x, %s0, %s1 : (tensor<1x8x8x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x7x1xi8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p0, %w, %c0, %c1, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x7x7x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x1xi32>
  return %a : tensor<1x3x3x1xi32>
}

// CHECK-LABEL: func.func @slice_that_leaves_fewer_results_stays
// CHECK: tosa.slice
// CHECK: luna.conv2d
func.func @slice_that_leaves_fewer_results_stays(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x2x2x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s1 = tosa.const_shape {values = dense<[1, 5, 5, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p0 = tosa.slice %x, %s0, %s1 : (tensor<1x8x8x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x5x5x1xi8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p0, %w, %c0, %c1, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x5x5x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi32>
  return %a : tensor<1x2x2x1xi32>
}

// CHECK-LABEL: func.func @pad_with_another_value_stays
// CHECK: tosa.pad
// CHECK: luna.conv2d
func.func @pad_with_another_value_stays(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x8x8x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p0 = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x10x10x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p0, %w, %c1, %c2, %c3 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  return %a : tensor<1x8x8x1xi32>
}

// Its first window would see nothing but padding.
// CHECK-LABEL: func.func @pad_wider_than_the_kernel_stays
// CHECK: tosa.pad
// CHECK: luna.conv2d
func.func @pad_wider_than_the_kernel_stays(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x12x12x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 3, 3, 3, 3, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p0 = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x14x14x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p0, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x12x12x1xi32>
  return %a : tensor<1x12x12x1xi32>
}

// Folding it would save nothing.
// CHECK-LABEL: func.func @pad_with_another_user_stays
// CHECK: %[[P:.*]] = tosa.pad
// CHECK: luna.conv2d ins(%[[P]]
func.func @pad_with_another_user_stays(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> (tensor<1x8x8x1xi32>, tensor<1x10x10x1xi8>) {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p0 = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x10x10x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p0, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  return %a, %p0 : tensor<1x8x8x1xi32>, tensor<1x10x10x1xi8>
}

// CHECK-LABEL: func.func @pad_of_a_tensor_with_first_rows_cut
// CHECK: %[[S:.*]] = tosa.slice
// CHECK: luna.conv2d ins(%[[S]]
// CHECK-SAME: pad = array<i64: 1, 1, 1, 1>
func.func @pad_of_a_tensor_with_first_rows_cut(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x7x7x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 1, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s1 = tosa.const_shape {values = dense<[1, 7, 7, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p0 = tosa.slice %x, %s0, %s1 : (tensor<1x8x8x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x7x1xi8>
  %s3 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p1 = tosa.pad %p0, %s3, %c0 : (tensor<1x7x7x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x9x9x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p1, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x9x9x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x7x1xi32>
  return %a : tensor<1x7x7x1xi32>
}

// A transposed convolution pads its output.
// CHECK-LABEL: func.func @pad_of_two_convolutions_one_transposed
// CHECK: %[[P:.*]] = tosa.pad
// CHECK: luna.conv2d ins(%[[P]]
// CHECK: luna.conv2d ins(%[[P]]
func.func @pad_of_two_convolutions_one_transposed(%x: tensor<1x4x4x1xi8>, %w: tensor<1x2x2x1xi8>) -> (tensor<1x7x7x1xi32>, tensor<1x5x5x1xi32>) {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s0, %c0 : (tensor<1x4x4x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x6x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.transpose_conv2d %p, %w, %c1, %c0, %c0 {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x7x1xi32>
  %b = tosa.conv2d %p, %w, %c1, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x6x6x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x1xi32>
  return %a, %b : tensor<1x7x7x1xi32>, tensor<1x5x5x1xi32>
}

// The pool needs the padded tensor.
// CHECK-LABEL: func.func @pad_of_a_convolution_and_a_pool
// CHECK: %[[P:.*]] = tosa.pad
// CHECK: luna.max_pool2d ins(%[[P]]
// CHECK: luna.conv2d ins(%[[P]]
func.func @pad_of_a_convolution_and_a_pool(%x: tensor<1x4x4x1xi8>, %w: tensor<1x3x3x1xi8>) -> (tensor<1x3x3x1xi8>, tensor<1x4x4x1xi32>) {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s0, %c0 : (tensor<1x4x4x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x6x1xi8>
  %m = tosa.max_pool2d %p {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x6x6x1xi8>) -> tensor<1x3x3x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.conv2d %p, %w, %c1, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x6x6x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  return %m, %a : tensor<1x3x3x1xi8>, tensor<1x4x4x1xi32>
}

// CHECK-LABEL: func.func @convolution_behind_another_op
// CHECK: %[[P:.*]] = luna.max_pool2d
// CHECK: luna.conv2d ins(%[[P]]
func.func @convolution_behind_another_op(%x: tensor<1x8x8x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %m = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x2xi8>) -> tensor<1x4x4x2xi8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %m, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @slice_of_a_dynamic_tensor_stays
// CHECK: %[[P:.*]] = tosa.slice
// CHECK: luna.conv2d ins(%[[P]]
func.func @slice_of_a_dynamic_tensor_stays(%x: tensor<1x?x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s1 = tosa.const_shape {values = dense<[1, 4, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %m = tosa.slice %x, %s0, %s1 : (tensor<1x?x4x2xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x2xi8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %m, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// Both fold it.
// CHECK-LABEL: func.func @pad_of_two_convolutions
// CHECK-NOT: tosa.pad
// CHECK: luna.conv2d ins(%arg0
// CHECK: luna.conv2d ins(%arg0
// CHECK-NOT: tosa.pad
// CHECK: return
func.func @pad_of_two_convolutions(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> (tensor<1x8x8x1xi32>, tensor<1x8x8x1xi32>) {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x10x10x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  %b = tosa.conv2d %p, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  return %a, %b : tensor<1x8x8x1xi32>, tensor<1x8x8x1xi32>
}

// CHECK-LABEL: func.func @pad_of_two_convolutions_one_sliced
// CHECK-NOT: tosa.pad
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: pad = array<i64: 1, 1, 1, 1>
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: pad = array<i64: 1, 0, 1, 0>
// CHECK: return
func.func @pad_of_two_convolutions_one_sliced(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> (tensor<1x8x8x1xi32>, tensor<1x4x4x1xi32>) {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x10x10x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  %s6 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s7 = tosa.const_shape {values = dense<[1, 9, 9, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.slice %p, %s6, %s7 : (tensor<1x10x10x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x9x9x1xi8>
  %b = tosa.conv2d %s, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x9x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  return %a, %b : tensor<1x8x8x1xi32>, tensor<1x4x4x1xi32>
}

// The second has another zero point; the padded tensor is needed anyway.
// CHECK-LABEL: func.func @pad_that_one_of_two_cannot_fold
// CHECK: %[[P:.*]] = tosa.pad
// CHECK: luna.conv2d ins(%[[P]]
// CHECK: luna.conv2d ins(%[[P]]
func.func @pad_that_one_of_two_cannot_fold(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> (tensor<1x8x8x1xi32>, tensor<1x8x8x1xi32>) {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s0, %c0 : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x10x10x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p, %w, %c1, %c0, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  %c3 = "tosa.const"() <{values = dense<6> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.conv2d %p, %w, %c1, %c3, %c2 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x10x10x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  return %a, %b : tensor<1x8x8x1xi32>, tensor<1x8x8x1xi32>
}

// CHECK-LABEL: func.func @pad_of_channels_stays
// CHECK: tosa.pad
// CHECK: luna.conv2d
func.func @pad_of_channels_stays(%x: tensor<1x4x4x1xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 0, 0, 0, 0, 0, 1]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s0, %c0 : (tensor<1x4x4x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %a = tosa.conv2d %p, %w, %c1, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @slice_of_channels_stays
// CHECK: tosa.slice
// CHECK: luna.conv2d
func.func @slice_of_channels_stays(%x: tensor<1x4x4x3xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s1 = tosa.const_shape {values = dense<[1, 4, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p = tosa.slice %x, %s0, %s1 : (tensor<1x4x4x3xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x2xi8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %p, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func.func @pad_before_a_transposed_convolution_stays
// CHECK: tosa.pad
// CHECK: luna.conv2d
func.func @pad_before_a_transposed_convolution_stays(%x: tensor<1x4x4x1xi8>, %w: tensor<1x2x2x1xi8>) -> tensor<1x7x7x1xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s0, %c0 : (tensor<1x4x4x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x6x1xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.transpose_conv2d %p, %w, %c1, %c0, %c0 {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x7x1xi32>
  return %a : tensor<1x7x7x1xi32>
}

// A negative pad.
// CHECK-LABEL: func.func @pad_that_cuts_off_stays
// CHECK: tosa.pad
// CHECK: luna.conv2d
func.func @pad_that_cuts_off_stays(%x: tensor<1x5x5x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %s0 = tosa.const_shape {values = dense<[0, 0, 0, -1, 0, -1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s0, %c0 : (tensor<1x5x5x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %a = tosa.conv2d %p, %w, %c1, %c0, %c0 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %a : tensor<1x4x4x2xi32>
}

// Bodies of control flow are rewritten; what stands outside is not drawn in.
// CHECK-LABEL: func.func @bodies
// CHECK: %[[A:.*]] = luna.conv2d
// CHECK-SAME: requant = #luna.requant<>
// CHECK: tosa.cond_if
// CHECK: tosa.rescale %[[A]]
// CHECK: } else {
// CHECK: luna.max_pool2d
// CHECK: scf.while
// CHECK: luna.table
// CHECK: scf.yield
func.func @bodies(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>, %c: tensor<i1>, %d: i1) -> tensor<1x4x4x2xi8> {
  %b = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %r = tosa.cond_if %c : tensor<i1> -> tensor<1x4x4x2xi8> {
    %t = tosa.rescale %a, %m, %s, %iz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
    tosa.yield %t : tensor<1x4x4x2xi8>
  } else {
    %t = tosa.max_pool2d %x {kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
    tosa.yield %t : tensor<1x4x4x2xi8>
  }
  %o = scf.while (%i = %r) : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
    scf.condition(%d) %i : tensor<1x4x4x2xi8>
  } do {
  ^bb0(%i: tensor<1x4x4x2xi8>):
    %t = tosa.clamp %i {min_val = 0 : i8, max_val = 6 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
    scf.yield %t : tensor<1x4x4x2xi8>
  }
  return %o : tensor<1x4x4x2xi8>
}

// It scales as one of 32 bits does.
// CHECK-LABEL: func.func @multiplier_of_16_bits
// CHECK: requant = #luna.requant<mode = multiplier, multiplier = 20000, shift = 22>
func.func @multiplier_of_16_bits(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %c1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %w, %c0, %c1, %c1 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %c2 = "tosa.const"() <{values = dense<20000> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c3 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %a, %c2, %c3, %c4, %c1 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<1xi16>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %r : tensor<1x4x4x2xi8>
}

// 127 * 32768 twice, and a bias that just fits beside them.
// CHECK-LABEL: func.func @conv_int16_sums_just_in_32_bits
// CHECK: values = dense<2139160575> : tensor<1xi32>
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: outs(%{{.*}} : tensor<1x4x4x
// CHECK-SAME: requant = #luna.requant<mode = shift, shift = 8, clamp_min = -32768, clamp_max = 32767>
func.func @conv_int16_sums_just_in_32_bits(%x: tensor<1x4x4x2xi16>) -> tensor<1x4x4x1xi16> {
  %c0 = "tosa.const"() <{values = dense<127> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %c1 = "tosa.const"() <{values = dense<2139160575> : tensor<1xi48>}> : () -> tensor<1xi48>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %c0, %c1, %c2, %c3 {acc_type = i48, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<1x1x1x2xi8>, tensor<1xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x1xi48>
  %c4 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c5 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c6 = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %r = tosa.rescale %a, %c4, %c5, %c6, %c2 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x1xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x1xi16>
  return %r : tensor<1x4x4x1xi16>
}

// 48-bit biases become 32-bit ones.
// CHECK-LABEL: func.func @conv_int16_negative_bias
// CHECK: values = dense<[-70000, 70000]> : tensor<2xi32>
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: outs(%{{.*}} : tensor<1x4x4x
// CHECK-SAME: requant = #luna.requant<mode = shift, shift = 8, clamp_min = -32768, clamp_max = 32767>
func.func @conv_int16_negative_bias(%x: tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> {
  %c0 = "tosa.const"() <{values = dense<[[[[1, 2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %c1 = "tosa.const"() <{values = dense<[-70000, 70000]> : tensor<2xi48>}> : () -> tensor<2xi48>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c3 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.conv2d %x, %c0, %c1, %c2, %c3 {acc_type = i48, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<2x1x1x2xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  %c4 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c5 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c6 = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %r = tosa.rescale %a, %c4, %c5, %c6, %c2 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
  return %r : tensor<1x4x4x2xi16>
}

// CHECK-LABEL: func.func @depthwise_int16
// CHECK: values = dense<5> : tensor<2xi32>
// CHECK: luna.conv2d ins(%arg0
// CHECK-SAME: kind = 1 : i32
func.func @depthwise_int16(%x: tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> {
  %c0 = "tosa.const"() <{values = dense<[[[[1], [-2]]]]> : tensor<1x1x2x1xi8>}> : () -> tensor<1x1x2x1xi8>
  %c1 = "tosa.const"() <{values = dense<[5, 5]> : tensor<2xi48>}> : () -> tensor<2xi48>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.depthwise_conv2d %x, %c0, %c1, %c2, %c3 {acc_type = i48, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<1x1x2x1xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  %c4 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c5 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c6 = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %r = tosa.rescale %a, %c4, %c5, %c6, %c2 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
  return %r : tensor<1x4x4x2xi16>
}

// CHECK-LABEL: func.func @sum_of_int16
// CHECK: luna.add ins(%arg0, %arg1 : tensor<1x4xi16>, tensor<1x4xi16>) outs(%{{.*}} : tensor<1x4xi16>)
// CHECK-SAME: clamp_min = -32768, clamp_max = 32767
func.func @sum_of_int16(%x: tensor<1x4xi16>, %y: tensor<1x4xi16>) -> tensor<1x4xi16> {
  %c0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<16> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x4xi32>
  %b = tosa.rescale %y, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x4xi32>
  %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %c4 = "tosa.const"() <{values = dense<1234567890> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<46> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %s, %c4, %c5, %c3, %c2 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4xi16>
  return %r : tensor<1x4xi16>
}

// CHECK-LABEL: func.func @max_pool_int16
// CHECK: luna.max_pool2d ins(%arg0 : tensor<1x2x2x1xi16>)
func.func @max_pool_int16(%x: tensor<1x2x2x1xi16>) -> tensor<1x1x1x1xi16> {
  %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xi16>) -> tensor<1x1x1x1xi16>
  return %r : tensor<1x1x1x1xi16>
}

// CHECK-LABEL: func.func @avg_pool_int16
// CHECK: luna.avg_pool2d ins(%arg0 : tensor<1x2x2x1xi16>)
func.func @avg_pool_int16(%x: tensor<1x2x2x1xi16>) -> tensor<1x1x1x1xi16> {
  %c0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %r = tosa.avg_pool2d %x, %c0, %c0 {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x1x1x1xi16>
  return %r : tensor<1x1x1x1xi16>
}

// CHECK-LABEL: func.func @dead_ops_go
// CHECK-NEXT: return %arg0
func.func @dead_ops_go(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %c0 = "tosa.const"() <{values = dense<805306368> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c1 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %c0, %c1, %c2, %c3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %k = tosa.clamp %a {min_val = 0 : i32, max_val = 6 : i32} : (tensor<1x4xi32>) -> tensor<1x4xi32>
  return %x : tensor<1x4xi8>
}

{-#
  dialect_resources: {
    builtin: {
      bias: "0x0400000005000000FAFFFFFF",
      weight: "0x01000000010203FC"
    }
  }
#-}
