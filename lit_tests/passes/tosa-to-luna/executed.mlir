// Operators of each kind compiled and run, beside the upstream CPU path. A
// padded average pool and a transposed convolution need upstream passes that
// the others do not.
// RUN: lunac run %s --machine=venus --random-input=1 --cases=4 --check | FileCheck %s
// RUN: lunac run %s --machine=arcs --random-input=2 --cases=4 --check | FileCheck %s
// CHECK: 0 hazards; 4 runs equal the upstream CPU path bit for bit

func.func @main(%x: tensor<1x6x6x2xi8>, %y: tensor<1x5x4x4xi16>) -> (tensor<1x3x3x2xi8>, tensor<1x13x13x3xi8>, tensor<1x5x4x2xi16>, tensor<1x6x6x2xi8>) {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z16 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z48 = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %zp = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %m = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s40 = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s33 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s11 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s50 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>

  %pool = tosa.avg_pool2d %x, %zp, %zp {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x6x6x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x2xi8>

  %w = "tosa.const"() <{values = dense<[[[[1, -2], [3, 4], [5, -6]], [[7, 8], [9, 10], [-11, 12]], [[13, 14], [15, 16], [17, 18]]], [[[19, 20], [-21, 22], [23, 24]], [[25, 26], [27, -28], [29, 30]], [[31, 32], [33, 34], [35, 36]]], [[[-37, 38], [39, 40], [41, 42]], [[43, 44], [45, 46], [47, 48]], [[49, -50], [51, 52], [53, 54]]]]> : tensor<3x3x3x2xi8>}> : () -> tensor<3x3x3x2xi8>
  %b = "tosa.const"() <{values = dense<[100, -200, 300]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %t = tosa.transpose_conv2d %x, %w, %b, %zp, %z {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x6x6x2xi8>, tensor<3x3x3x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x13x13x3xi32>
  %transposed = tosa.rescale %t, %m, %s40, %z32, %zp {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x13x13x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x13x13x3xi8>

  %w16 = "tosa.const"() <{values = dense<[[[[100, -100, 50, 1]]], [[[-3, 4, 5, 127]]]]> : tensor<2x1x1x4xi8>}> : () -> tensor<2x1x1x4xi8>
  %b48 = "tosa.const"() <{values = dense<[-100000, 100000]> : tensor<2xi48>}> : () -> tensor<2xi48>
  %m16 = "tosa.const"() <{values = dense<[20000, 30001]> : tensor<2xi16>}> : () -> tensor<2xi16>
  %s16 = "tosa.const"() <{values = dense<[21, 22]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %c = tosa.conv2d %y, %w16, %b48, %z16, %z {acc_type = i48, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x5x4x4xi16>, tensor<2x1x1x4xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x5x4x2xi48>
  %wide = tosa.rescale %c, %m16, %s16, %z48, %z16 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x5x4x2xi48>, tensor<2xi16>, tensor<2xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x5x4x2xi16>

  %l = tosa.rescale %x, %m, %s11, %zp, %z32 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x6x2xi32>
  %k = tosa.clamp %x {min_val = -20 : i8, max_val = 50 : i8} : (tensor<1x6x6x2xi8>) -> tensor<1x6x6x2xi8>
  %q = tosa.rescale %k, %m, %s33, %z, %zp {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x2xi8>
  %r = tosa.rescale %q, %m, %s11, %zp, %z32 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x6x2xi32>
  %a = tosa.sub %l, %r : (tensor<1x6x6x2xi32>, tensor<1x6x6x2xi32>) -> tensor<1x6x6x2xi32>
  %sum = tosa.rescale %a, %m, %s50, %z32, %zp {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x2xi8>
  return %pool, %transposed, %wide, %sum : tensor<1x3x3x2xi8>, tensor<1x13x13x3xi8>, tensor<1x5x4x2xi16>, tensor<1x6x6x2xi8>
}
