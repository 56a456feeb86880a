// Requantisation in floating point, a linalg.generic as the ONNX reader writes
// it, becomes the operator's requant of mode float; what is not exactly that
// stays.

// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-luna))' --split-input-file | FileCheck %s

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#last = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK-LABEL: func.func @one_scale
// CHECK: luna.conv2d
// CHECK-SAME: input_zp = -128 : i32
// CHECK-SAME: requant = #luna.requant<mode = float, scale = 1.250000e-02 : f32, zero_point = 3, clamp_min = 3, clamp_max = 100>
// CHECK-NOT: linalg.generic
func.func @one_scale(%x: tensor<1x4x4x8xi8>) -> tensor<1x4x4x2xi8> {
  %w = "tosa.const"() <{values = dense<2> : tensor<2x1x1x8xi8>}> : () -> tensor<2x1x1x8xi8>
  %b = "tosa.const"() <{values = dense<5> : tensor<2xi32>}> : () -> tensor<2xi32>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sums = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x8xi8>, tensor<2x1x1x8xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %empty = tensor.empty() : tensor<1x4x4x2xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums : tensor<1x4x4x2xi32>) outs(%empty : tensor<1x4x4x2xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %float = arith.sitofp %sum : i32 to f32
    %scale = arith.constant 1.250000e-02 : f32
    %scaled = arith.mulf %float, %scale : f32
    %round = math.roundeven %scaled : f32
    %zero = arith.constant 3.0 : f32
    %moved = arith.addf %round, %zero : f32
    %low = arith.constant 3.0 : f32
    %high = arith.constant 100.0 : f32
    %above = arith.maximumf %moved, %low : f32
    %within = arith.minimumf %above, %high : f32
    %wide = arith.fptosi %within : f32 to i32
    %byte = arith.trunci %wide : i32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x4x4x2xi8>
  return %y : tensor<1x4x4x2xi8>
}

// CHECK-LABEL: func.func @scale_per_channel
// CHECK: %[[SCALES:.*]] = "tosa.const"() <{values = dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>}>
// CHECK: luna.conv2d
// CHECK-SAME: table(%[[SCALES]] : tensor<2xf32>)
// CHECK-SAME: requant = #luna.requant<mode = float, per_channel = true>
// CHECK-NOT: linalg.generic
func.func @scale_per_channel(%x: tensor<1x4x4x8xi8>) -> tensor<1x4x4x2xi8> {
  %w = "tosa.const"() <{values = dense<2> : tensor<2x1x1x8xi8>}> : () -> tensor<2x1x1x8xi8>
  %b = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %scales = "tosa.const"() <{values = dense<[0.5, 0.25]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %sums = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x8xi8>, tensor<2x1x1x8xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %empty = tensor.empty() : tensor<1x4x4x2xi8>
  %y = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums, %scales : tensor<1x4x4x2xi32>, tensor<2xf32>) outs(%empty : tensor<1x4x4x2xi8>) {
  ^bb0(%sum: i32, %scale: f32, %out: i8):
    %float = arith.sitofp %sum : i32 to f32
    %scaled = arith.mulf %float, %scale : f32
    %round = math.roundeven %scaled : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %above = arith.maximumf %round, %low : f32
    %within = arith.minimumf %above, %high : f32
    %wide = arith.fptosi %within : f32 to i32
    %byte = arith.trunci %wide : i32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x4x4x2xi8>
  return %y : tensor<1x4x4x2xi8>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @matrix_product
// CHECK: luna.matmul
// CHECK-SAME: lhs_zp = 1 : i32
// CHECK-SAME: requant = #luna.requant<mode = float, scale = 5.000000e-01 : f32>
// CHECK-NOT: linalg.generic
func.func @matrix_product(%x: tensor<2x3x4xi8>, %y: tensor<2x4x5xi8>) -> tensor<2x3x5xi8> {
  %a = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sums = tosa.matmul %x, %y, %a, %b : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
  %empty = tensor.empty() : tensor<2x3x5xi8>
  %scale = arith.constant 0.5 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<2x3x5xi32>) outs(%empty : tensor<2x3x5xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %float = arith.sitofp %sum : i32 to f32
    %scaled = arith.mulf %float, %scale : f32
    %round = math.roundeven %scaled : f32
    %above = arith.maximumf %round, %low : f32
    %within = arith.minimumf %above, %high : f32
    %byte = arith.fptosi %within : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<2x3x5xi8>
  return %r : tensor<2x3x5xi8>
}

// The sums are used twice: the product stays 32 bits wide.
// CHECK-LABEL: func.func @sums_used_twice
// CHECK: luna.matmul
// CHECK-SAME: requant = #luna.requant<>
// CHECK: linalg.generic
func.func @sums_used_twice(%x: tensor<2x3x4xi8>, %y: tensor<2x4x5xi8>) -> (tensor<2x3x5xi8>, tensor<2x3x5xi32>) {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sums = tosa.matmul %x, %y, %z, %z : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
  %empty = tensor.empty() : tensor<2x3x5xi8>
  %scale = arith.constant 0.5 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<2x3x5xi32>) outs(%empty : tensor<2x3x5xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %float = arith.sitofp %sum : i32 to f32
    %scaled = arith.mulf %float, %scale : f32
    %round = math.roundeven %scaled : f32
    %above = arith.maximumf %round, %low : f32
    %within = arith.minimumf %above, %high : f32
    %byte = arith.fptosi %within : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<2x3x5xi8>
  return %r, %sums : tensor<2x3x5xi8>, tensor<2x3x5xi32>
}

// A range outside int8 and a negative scale are not taken.
// CHECK-LABEL: func.func @range_too_wide
// CHECK: linalg.generic
func.func @range_too_wide(%x: tensor<2x3x4xi8>, %y: tensor<2x4x5xi8>) -> tensor<2x3x5xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sums = tosa.matmul %x, %y, %z, %z : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
  %empty = tensor.empty() : tensor<2x3x5xi8>
  %scale = arith.constant 0.5 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 255.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<2x3x5xi32>) outs(%empty : tensor<2x3x5xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %float = arith.sitofp %sum : i32 to f32
    %scaled = arith.mulf %float, %scale : f32
    %round = math.roundeven %scaled : f32
    %above = arith.maximumf %round, %low : f32
    %within = arith.minimumf %above, %high : f32
    %wide = arith.fptosi %within : f32 to i32
    %byte = arith.trunci %wide : i32 to i8
    linalg.yield %byte : i8
  } -> tensor<2x3x5xi8>
  return %r : tensor<2x3x5xi8>
}

// CHECK-LABEL: func.func @negative_scale
// CHECK: linalg.generic
func.func @negative_scale(%x: tensor<2x3x4xi8>, %y: tensor<2x4x5xi8>) -> tensor<2x3x5xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sums = tosa.matmul %x, %y, %z, %z : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
  %empty = tensor.empty() : tensor<2x3x5xi8>
  %scale = arith.constant -0.5 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<2x3x5xi32>) outs(%empty : tensor<2x3x5xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %float = arith.sitofp %sum : i32 to f32
    %scaled = arith.mulf %float, %scale : f32
    %round = math.roundeven %scaled : f32
    %above = arith.maximumf %round, %low : f32
    %within = arith.minimumf %above, %high : f32
    %byte = arith.fptosi %within : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<2x3x5xi8>
  return %r : tensor<2x3x5xi8>
}

// Rounding half away from zero is another arithmetic.
// CHECK-LABEL: func.func @other_rounding
// CHECK: linalg.generic
func.func @other_rounding(%x: tensor<2x3x4xi8>, %y: tensor<2x4x5xi8>) -> tensor<2x3x5xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sums = tosa.matmul %x, %y, %z, %z : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
  %empty = tensor.empty() : tensor<2x3x5xi8>
  %scale = arith.constant 0.5 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<2x3x5xi32>) outs(%empty : tensor<2x3x5xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %float = arith.sitofp %sum : i32 to f32
    %scaled = arith.mulf %float, %scale : f32
    %round = math.round %scaled : f32
    %above = arith.maximumf %round, %low : f32
    %within = arith.minimumf %above, %high : f32
    %byte = arith.fptosi %within : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<2x3x5xi8>
  return %r : tensor<2x3x5xi8>
}
