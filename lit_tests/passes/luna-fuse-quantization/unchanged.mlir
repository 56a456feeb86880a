// What no pattern takes, and what may not be taken.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fuse-quantization))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @scale_of_run_time
// CHECK: luna.dequantize
// CHECK: tosa.sigmoid
// CHECK: luna.quantize
func.func @scale_of_run_time(%q: tensor<4xi8>, %s: tensor<f32>) -> tensor<4xi8> {
  %x = luna.dequantize %q, %s : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
  %y = tosa.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %r = luna.quantize %y, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

// A table of 16 bits would have 65,536 entries; the transpose is moved all the
// same.
// CHECK-LABEL: func.func @wide
// CHECK: tosa.transpose {{.*}} -> tensor<8x4xi16>
// CHECK: tosa.sigmoid
// CHECK: luna.quantize {{.*}} -> tensor<8x4xi16>
func.func @wide(%q: tensor<4x8xi16>) -> tensor<8x4xi16> {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %x = luna.dequantize %q, %s : (tensor<4x8xi16>, tensor<f32>) -> tensor<4x8xf32>
  %t = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %y = tosa.sigmoid %t : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = luna.quantize %y, %s : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xi16>
  return %r : tensor<8x4xi16>
}

// -----

// The unit rounds sums half to even, this asks for half away from zero.
// CHECK-LABEL: func.func @rounds_away
// CHECK: luna.quantize %{{.*}} rounding half_away
func.func @rounds_away(%p: tensor<2x3x4xi8>, %q: tensor<2x4x5xi8>) -> tensor<2x3x5xi8> {
  %s = "tosa.const"() <{values = dense<0.25> : tensor<f32>}> : () -> tensor<f32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %x = luna.dequantize %p, %s : (tensor<2x3x4xi8>, tensor<f32>) -> tensor<2x3x4xf32>
  %y = luna.dequantize %q, %s : (tensor<2x4x5xi8>, tensor<f32>) -> tensor<2x4x5xf32>
  %m = tosa.matmul %x, %y, %zero, %zero : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
  %r = luna.quantize %m, %s rounding half_away : (tensor<2x3x5xf32>, tensor<f32>) -> tensor<2x3x5xi8>
  return %r : tensor<2x3x5xi8>
}

// -----

// A pad with another number than 0, a sum with a list, used as float as well.
// CHECK-LABEL: func.func @not_quite
// CHECK: tosa.pad {{.*}} -> tensor<6xf32>
// CHECK: %[[SUM:.*]] = tosa.add {{.*}} -> tensor<6xf32>
// CHECK: luna.quantize %[[SUM]]
// CHECK: return %{{.*}}, %[[SUM]]
func.func @not_quite(%q: tensor<4xi8>) -> (tensor<6xi8>, tensor<6xf32>) {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %fill = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %pads = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %k = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>}> : () -> tensor<6xf32>
  %x = luna.dequantize %q, %s : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
  %p = tosa.pad %x, %pads, %fill : (tensor<4xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<6xf32>
  %a = tosa.add %p, %k : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %r = luna.quantize %a, %s : (tensor<6xf32>, tensor<f32>) -> tensor<6xi8>
  return %r, %a : tensor<6xi8>, tensor<6xf32>
}

// -----

// The end of a region has no results, and is not dead.
// CHECK-LABEL: func.func @region_that_yields_an_outer_value
// CHECK: tensor.pad
// CHECK: tensor.yield
func.func @region_that_yields_an_outer_value(%x: tensor<2x3xi8>) -> tensor<4x4xi8> {
  %c = arith.constant 7 : i8
  %r = tensor.pad %x low[1, 0] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i8
  } : tensor<2x3xi8> to tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
