// RUN: luna-opt --pass-pipeline='builtin.module(func.func(tosa-to-luna))' %s | FileCheck %s

// A convolution takes in its rescale (per channel: a table) and its clamp.
// CHECK-LABEL: func.func @conv2d_rescale_clamp
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x4x2xi8>, %[[W:.*]]: tensor<2x3x3x2xi8>)
// CHECK-DAG: %[[B:.*]] = "tosa.const"() <{values = dense<[5, -6]> : tensor<2xi32>}>
// CHECK-DAG: %[[T:.*]] = "tosa.const"() <{values = dense<{{\[\[}}1073741825, 1073741826], [38, 39]]> : tensor<2x2xi32>}>
// CHECK: %[[O:.*]] = tensor.empty() : tensor<1x4x4x2xi8>
// CHECK: %[[R:.*]] = luna.conv2d ins(%[[X]], %[[W]] : tensor<1x4x4x2xi8>, tensor<2x3x3x2xi8>)
// CHECK-SAME: bias(%[[B]] : tensor<2xi32>) table(%[[T]] : tensor<2x2xi32>)
// CHECK-SAME: outs(%[[O]] : tensor<1x4x4x2xi8>)
// CHECK-SAME: input_zp = 3 : i32
// CHECK-SAME: pad = array<i64: 1, 1, 1, 1>
// CHECK-SAME: requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true, zero_point = -7, clamp_min = -7, clamp_max = 100>
// CHECK-SAME: weight_zp = 1 : i32
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: tosa.
func.func @conv2d_rescale_clamp(%x: tensor<1x4x4x2xi8>, %w: tensor<2x3x3x2xi8>) -> tensor<1x4x4x2xi8> {
  %b = "tosa.const"() <{values = dense<[5, -6]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %xz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x3x3x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %m = "tosa.const"() <{values = dense<[1073741825, 1073741826]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %s = "tosa.const"() <{values = dense<[38, 39]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %s, %iz, %oz {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %k = tosa.clamp %r {min_val = -7 : i8, max_val = 100 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %k : tensor<1x4x4x2xi8>
}

// A depthwise convolution; a power-of-two scale is LUNA's own shift.
// CHECK-LABEL: func.func @depthwise_shift
// CHECK: luna.conv2d ins({{.*}}) outs({{.*}})
// CHECK-SAME: kind = 1 : i32
// CHECK-SAME: requant = #luna.requant<mode = shift, shift = 7>
// CHECK-SAME: stride = array<i64: 2, 2>
// CHECK-NOT: tosa.
func.func @depthwise_shift(%x: tensor<1x5x5x2xi8>, %w: tensor<3x3x2x1xi8>) -> tensor<1x2x2x2xi8> {
  %b = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x5x5x2xi8>, tensor<3x3x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x2xi32>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %c, %m, %s, %iz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x2x2x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2x2x2xi8>
  return %r : tensor<1x2x2x2xi8>
}

// Without a rescale the 32-bit results are stored.
// CHECK-LABEL: func.func @transpose_conv_no_requant
// CHECK: luna.conv2d
// CHECK-SAME: outs(%{{.*}} : tensor<1x5x5x3xi32>)
// CHECK-SAME: kind = 2 : i32
// CHECK-SAME: pad = array<i64: 0, -1, 0, -1>
// CHECK-SAME: requant = #luna.requant<>
// CHECK-SAME: stride = array<i64: 2, 2>
// CHECK-NOT: tosa.
func.func @transpose_conv_no_requant(%x: tensor<1x2x2x2xi8>, %w: tensor<3x4x4x2xi8>) -> tensor<1x5x5x3xi32> {
  %b = "tosa.const"() <{values = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = i32, out_pad = array<i64: 0, -1, 0, -1>, stride = array<i64: 2, 2>} : (tensor<1x2x2x2xi8>, tensor<3x4x4x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x3xi32>
  return %c : tensor<1x5x5x3xi32>
}

// CHECK-LABEL: func.func @matmul
// CHECK: luna.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3x4xi8>, tensor<2x4x5xi8>)
// CHECK-SAME: outs(%{{.*}} : tensor<2x3x5xi8>)
// CHECK-SAME: lhs_zp = 3 : i32
// CHECK-SAME: requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 40, zero_point = 9>
// CHECK-SAME: rhs_zp = -4 : i32
// CHECK-NOT: tosa.
func.func @matmul(%x: tensor<2x3x4xi8>, %y: tensor<2x4x5xi8>) -> tensor<2x3x5xi8> {
  %xz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %yz = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.matmul %x, %y, %xz, %yz : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
  %m = "tosa.const"() <{values = dense<1234567890> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %s, %iz, %oz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3x5xi8>
  return %r : tensor<2x3x5xi8>
}

// A 1x1 convolution of one pixel is a fully connected layer; its constant
// weight is reshaped at compile time.
// CHECK-LABEL: func.func @fully_connected
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x1x2xi8>)
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[}}1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi8>}>
// CHECK: %[[L:.*]] = tosa.reshape %[[X]], %{{.*}} : (tensor<1x1x1x2xi8>, !tosa.shape<3>) -> tensor<1x1x2xi8>
// CHECK: %[[R:.*]] = luna.matmul ins(%[[L]], %[[W]] : tensor<1x1x2xi8>, tensor<1x3x2xi8>)
// CHECK-SAME: bias(%{{.*}} : tensor<3xi32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x1x3xi8>)
// CHECK-SAME: lhs_zp = -128 : i32
// CHECK-SAME: rhs_transposed
// CHECK: %[[S:.*]] = tosa.const_shape {values = dense<[1, 1, 1, 3]> : tensor<4xindex>}
// CHECK: %[[Y:.*]] = tosa.reshape %[[R]], %[[S]] : (tensor<1x1x3xi8>, !tosa.shape<4>) -> tensor<1x1x1x3xi8>
// CHECK: return %[[Y]]
func.func @fully_connected(%x: tensor<1x1x1x2xi8>) -> tensor<1x1x1x3xi8> {
  %w = "tosa.const"() <{values = dense<[[[[1, 2]]], [[[3, 4]]], [[[5, 6]]]]> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.conv2d %x, %w, %b, %xz, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x3xi32>
  %m = "tosa.const"() <{values = dense<1234567890> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %r = tosa.rescale %c, %m, %s, %iz, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x3xi8>
  return %r : tensor<1x1x1x3xi8>
}

// Sums, differences and products of rescaled int8 tensors, rescaled to int8.
// CHECK-LABEL: func.func @add
// CHECK-SAME: (%[[X:.*]]: tensor<1x4xi8>, %[[Y:.*]]: tensor<1x4xi8>)
// CHECK: luna.add ins(%[[X]], %[[Y]] : tensor<1x4xi8>, tensor<1x4xi8>)
// CHECK-SAME: lhs_multiplier = 1886099825 : i32, lhs_shift = 14 : i32, lhs_zp = -128 : i32
// CHECK-SAME: requant = #luna.requant<mode = multiplier, rounding = double, multiplier = 1690146859, shift = 48, zero_point = -128>
// CHECK-SAME: rhs_multiplier = 1073741824 : i32, rhs_shift = 11 : i32, rhs_zp = 46 : i32
// CHECK-NOT: tosa.
func.func @add(%x: tensor<1x4xi8>, %y: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %xm = "tosa.const"() <{values = dense<1886099825> : tensor<1xi32>}> : () -> tensor<1xi32>
  %xs = "tosa.const"() <{values = dense<14> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %x, %xm, %xs, %xz, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %ym = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %ys = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %yz = "tosa.const"() <{values = dense<46> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.rescale %y, %ym, %ys, %yz, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %m = "tosa.const"() <{values = dense<1690146859> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<48> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %s, %z, %xz {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// Channels padded with the zero point are the sum's padding.
// CHECK-LABEL: func.func @add_of_padded_channels
// CHECK-NOT: tosa.pad
// CHECK: luna.add ins(%arg0, %arg1 : tensor<2x3xi8>, tensor<2x4xi8>) outs(%{{.*}} : tensor<2x4xi8>)
// CHECK-SAME: lhs_zp = -128
// CHECK-NOT: tosa.
func.func @add_of_padded_channels(%x: tensor<2x3xi8>, %y: tensor<2x4xi8>) -> tensor<2x4xi8> {
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
  return %r : tensor<2x4xi8>
}

// A cast is an unscaled input.
// CHECK-LABEL: func.func @sub_of_casts
// CHECK-SAME: (%[[X:.*]]: tensor<1x4xi8>, %[[Y:.*]]: tensor<1x1xi8>)
// CHECK: luna.sub ins(%[[X]], %[[Y]] : tensor<1x4xi8>, tensor<1x1xi8>) outs(%{{.*}} : tensor<1x4xi8>)
// CHECK-SAME: {requant = #luna.requant<mode = shift, shift = 1>}
// CHECK-NOT: tosa.
func.func @sub_of_casts(%x: tensor<1x4xi8>, %y: tensor<1x1xi8>) -> tensor<1x4xi8> {
  %a = tosa.cast %x : (tensor<1x4xi8>) -> tensor<1x4xi32>
  %b = tosa.cast %y : (tensor<1x1xi8>) -> tensor<1x1xi32>
  %c = tosa.sub %a, %b : (tensor<1x4xi32>, tensor<1x1xi32>) -> tensor<1x4xi32>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %s, %z32, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// An input scale of one (2^30 >> 30) is no scale.
// CHECK-LABEL: func.func @mul
// CHECK: luna.mul
// CHECK-SAME: {lhs_zp = 5 : i32, requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 36>, rhs_zp = 5 : i32}
// CHECK-NOT: tosa.
func.func @mul(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %one = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %thirty = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %five = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.rescale %x, %one, %thirty, %five, %z32 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4xi32>
  %c = tosa.mul %a, %a, %z : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1xi8>) -> tensor<1x4xi32>
  %m = "tosa.const"() <{values = dense<1234567890> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %s, %z32, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// CHECK-LABEL: func.func @max_pool
// CHECK: luna.max_pool2d ins(%{{.*}} : tensor<1x4x4x2xi8>) outs(%{{.*}} : tensor<1x3x3x2xi8>)
// CHECK-SAME: {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>}
// CHECK-NOT: tosa.
func.func @max_pool(%x: tensor<1x4x4x2xi8>) -> tensor<1x3x3x2xi8> {
  %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi8>) -> tensor<1x3x3x2xi8>
  return %r : tensor<1x3x3x2xi8>
}

// CHECK-LABEL: func.func @avg_pool
// CHECK: %[[ONES:.*]] = "tosa.const"() <{values = dense<1> : tensor<2x2x2x1xi8>}>
// CHECK: luna.conv2d ins(%{{.*}}, %[[ONES]] : tensor<1x4x4x2xi8>, tensor<2x2x2x1xi8>) bias(%{{.*}} : tensor<2xi32>) outs(%{{.*}} : tensor<1x2x2x2xi8>)
// CHECK-SAME: {input_zp = -3 : i32, kind = 1 : i32, requant = #luna.requant<mode = multiplier, multiplier = 1073741825, shift = 32, zero_point = 4>, stride = array<i64: 2, 2>}
// CHECK-NOT: tosa.
func.func @avg_pool(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %iz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %iz, %oz {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x2xi8>
  return %r : tensor<1x2x2x2xi8>
}

// rescale, clamp and table become one table; its entries are in tables.mlir.
// CHECK-LABEL: func.func @table_chain
// CHECK-SAME: (%[[X:.*]]: tensor<1x4xi8>)
// CHECK: %[[T:.*]] = "tosa.const"() <{values = dense<{{.*}}> : tensor<256xi8>}>
// CHECK: %[[R:.*]] = luna.table ins(%[[X]], %[[T]] : tensor<1x4xi8>, tensor<256xi8>) outs(%{{.*}} : tensor<1x4xi8>)
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: tosa.
func.func @table_chain(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.rescale %x, %m, %s, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4xi8>
  %b = tosa.clamp %a {min_val = 0 : i8, max_val = 6 : i8} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  %t = "tosa.const"() <{values = dense<7> : tensor<256xi8>}> : () -> tensor<256xi8>
  %r = tosa.table %b, %t : (tensor<1x4xi8>, tensor<256xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}

// The padding that TensorFlow Lite converters write as pad and slice becomes
// that of the convolution.
// CHECK-LABEL: func.func @pad_slice_conv
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x8x1xi8>
// CHECK: luna.conv2d ins(%[[X]], %{{.*}} : tensor<1x8x8x1xi8>, tensor<1x3x3x1xi8>)
// CHECK-SAME: input_zp = 5 : i32, pad = array<i64: 1, 0, 1, 0>
// CHECK-SAME: stride = array<i64: 2, 2>
// CHECK-NOT: tosa.
func.func @pad_slice_conv(%x: tensor<1x8x8x1xi8>, %w: tensor<1x3x3x1xi8>) -> tensor<1x4x4x1xi32> {
  %p = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %xz = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.pad %x, %p, %xz : (tensor<1x8x8x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x10x10x1xi8>
  %start = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1, 9, 9, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.slice %a, %start, %size : (tensor<1x10x10x1xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x9x9x1xi8>
  %b = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.conv2d %s, %w, %b, %xz, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x9x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  return %c : tensor<1x4x4x1xi32>
}
