// What only moves elements is made on the integers.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fuse-quantization))' --split-input-file | FileCheck %s

// A pad with 0 pads with the zero point; a picker is retyped; a maximum is one
// of integers.
// CHECK-LABEL: func.func @sinks
// CHECK: %[[FILL:.*]] = "tosa.const"() <{values = dense<5> : tensor<1xi8>}>
// CHECK: %[[PADDED:.*]] = tosa.pad %arg0, %{{.*}}, %[[FILL]] : {{.*}} -> tensor<1x5x5x2xi8>
// CHECK: %[[POOLED:.*]] = tosa.max_pool2d %[[PADDED]] {{.*}} -> tensor<1x4x4x2xi8>
// CHECK: %[[PICKED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2xi8>)
// CHECK: tensor.extract %[[POOLED]]{{.*}} : tensor<1x4x4x2xi8>
// CHECK: arith.select {{.*}} : i8
// CHECK: %[[X:.*]] = luna.dequantize %[[PICKED]]
// CHECK: return %[[X]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @sinks(%q: tensor<1x4x4x2xi8>) -> tensor<1x2xf32> {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %z = "tosa.const"() <{values = dense<5> : tensor<i8>}> : () -> tensor<i8>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %pads = tosa.const_shape {values = dense<[0, 0, 0, 1, 0, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %x = luna.dequantize %q, %s, %z : (tensor<1x4x4x2xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x2xf32>
  %p = tosa.pad %x, %pads, %zero : (tensor<1x4x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x5x5x2xf32>
  %m = tosa.max_pool2d %p {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xf32>) -> tensor<1x4x4x2xf32>
  %e = tensor.empty() : tensor<1x2xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<1x2xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %c = arith.constant 1 : index
    %none = arith.constant 0.0 : f32
    %is = arith.cmpi eq, %i, %c : index
    %v = tensor.extract %m[%c, %c, %c, %i] : tensor<1x4x4x2xf32>
    %r = arith.select %is, %v, %none : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  return %g : tensor<1x2xf32>
}

// -----

// The 0.0 may stand outside of the body; another value there is none of the
// integers.
// CHECK-LABEL: func.func @picks
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2xi8>)
// CHECK: %[[ZERO:.*]] = arith.constant 5 : i8
// CHECK-NEXT: arith.select %{{.*}}, %{{.*}}, %[[ZERO]] : i8
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2xf32>)
// CHECK: arith.select %{{.*}}, %{{.*}}, %arg1 : f32
#id = affine_map<(d0) -> (d0)>
func.func @picks(%q: tensor<2xi8>, %a: f32) -> (tensor<2xf32>, tensor<2xf32>) {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %z = "tosa.const"() <{values = dense<5> : tensor<i8>}> : () -> tensor<i8>
  %zero = arith.constant 0.0 : f32
  %x = luna.dequantize %q, %s, %z : (tensor<2xi8>, tensor<f32>, tensor<i8>) -> tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<2xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi eq, %i, %i : index
    %v = tensor.extract %x[%i] : tensor<2xf32>
    %r = arith.select %is, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %h = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<2xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi eq, %i, %i : index
    %v = tensor.extract %x[%i] : tensor<2xf32>
    %r = arith.select %is, %v, %a : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  return %g, %h : tensor<2xf32>, tensor<2xf32>
}

// -----

// Quantised ahead of what moves elements, clamps in the bounds.
// CHECK-LABEL: func.func @hoists
// CHECK: %[[A:.*]] = luna.quantize %arg0, {{.*}} {clamp_min = 0 : i32} : (tensor<1x2x3xf32>
// CHECK: %[[B:.*]] = luna.quantize %arg1, {{.*}} {clamp_min = 0 : i32} : (tensor<1x2x3xf32>
// CHECK: %[[BOTH:.*]] = tosa.concat %[[A]], %[[B]] {{.*}} -> tensor<1x2x6xi8>
// CHECK: %[[T:.*]] = tosa.transpose %[[BOTH]] {{.*}} -> tensor<1x6x2xi8>
// CHECK: return %[[T]]
func.func @hoists(%a: tensor<1x2x3xf32>, %b: tensor<1x2x3xf32>) -> tensor<1x6x2xi8> {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %c = tosa.concat %a, %b {axis = 2 : i32} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x6xf32>
  %t = tosa.transpose %c {perms = array<i32: 0, 2, 1>} : (tensor<1x2x6xf32>) -> tensor<1x6x2xf32>
  %r = tosa.clamp %t {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  %q = luna.quantize %r, %s : (tensor<1x6x2xf32>, tensor<f32>) -> tensor<1x6x2xi8>
  return %q : tensor<1x6x2xi8>
}

// -----

// Scales along a dimension move with it, through a reshape that splits it.
// CHECK-LABEL: func.func @scales
// CHECK: %[[T:.*]] = tosa.transpose %{{.*}} -> tensor<3x2x2xi8>
// CHECK: %[[SCALES:.*]] = "tosa.const"() <{values = dense<{{\[\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>}>
// CHECK: luna.dequantize %[[T]], %[[SCALES]]
func.func @scales(%q: tensor<4x3xi8>) -> tensor<3x2x2xf32> {
  %s = "tosa.const"() <{values = dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>}> : () -> tensor<4x1xf32>
  %shape = tosa.const_shape {values = dense<[2, 2, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %x = luna.dequantize %q, %s : (tensor<4x3xi8>, tensor<4x1xf32>) -> tensor<4x3xf32>
  %r = tosa.reshape %x, %shape : (tensor<4x3xf32>, !tosa.shape<3>) -> tensor<2x2x3xf32>
  %t = tosa.transpose %r {perms = array<i32: 2, 0, 1>} : (tensor<2x2x3xf32>) -> tensor<3x2x2xf32>
  return %t : tensor<3x2x2xf32>
}

// -----

// Unsigned bytes between unsigned ends: the highest bit flips at the ends alone.
// CHECK-LABEL: func.func @unsigned
// CHECK: %[[IN:.*]] = tosa.table %arg0
// CHECK: %[[MOVED:.*]] = tosa.transpose %[[IN]]
// CHECK: %[[SIGMOID:.*]] = tosa.table %[[MOVED]]
// CHECK: %[[OUT:.*]] = tosa.table %[[SIGMOID]]
// CHECK: return %[[OUT]]
func.func @unsigned(%q: tensor<4x8xi8>) -> tensor<8x4xi8> {
  %s = "tosa.const"() <{values = dense<0.05> : tensor<f32>}> : () -> tensor<f32>
  %z = "tosa.const"() <{values = dense<-128> : tensor<i8>}> : () -> tensor<i8>
  %p = "tosa.const"() <{values = dense<0.00390625> : tensor<f32>}> : () -> tensor<f32>
  %x = luna.dequantize %q, %s, %z unsigned : (tensor<4x8xi8>, tensor<f32>, tensor<i8>) -> tensor<4x8xf32>
  %a = luna.quantize %x, %s, %z unsigned : (tensor<4x8xf32>, tensor<f32>, tensor<i8>) -> tensor<4x8xi8>
  %t = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<4x8xi8>) -> tensor<8x4xi8>
  %b = luna.dequantize %t, %s, %z unsigned : (tensor<8x4xi8>, tensor<f32>, tensor<i8>) -> tensor<8x4xf32>
  %y = tosa.sigmoid %b : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = luna.quantize %y, %p unsigned : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xi8>
  return %r : tensor<8x4xi8>
}

// -----

// Branches that agree on the scale give integers, and so do those whose result
// is quantised.
// CHECK-LABEL: func.func @branches
// CHECK: %[[SAME:.*]] = scf.if %arg0 -> (tensor<4xi8>) {
// CHECK: %[[FLOATS:.*]] = luna.dequantize %[[SAME]]
// CHECK: %[[OTHER:.*]] = scf.if %arg0 -> (tensor<4xi8>) {
// CHECK: tosa.table
// CHECK: } else {
// CHECK: tosa.table
// CHECK: return %[[FLOATS]], %[[OTHER]]
func.func @branches(%c: i1, %a: tensor<4xi8>, %b: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xi8>) {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %t = "tosa.const"() <{values = dense<0.75> : tensor<f32>}> : () -> tensor<f32>
  %u = "tosa.const"() <{values = dense<2.5> : tensor<f32>}> : () -> tensor<f32>
  %same = scf.if %c -> tensor<4xf32> {
    %x = luna.dequantize %a, %s : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  } else {
    %x = luna.dequantize %b, %s : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  }
  %other = scf.if %c -> tensor<4xf32> {
    %x = luna.dequantize %a, %s : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  } else {
    %x = luna.dequantize %b, %t : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  }
  %q = luna.quantize %other, %u : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  return %same, %q : tensor<4xf32>, tensor<4xi8>
}

// -----

// Scales along a dimension, all alike, are one: they need not fit the parts.
// CHECK-LABEL: func.func @equal_scales
// CHECK: luna.quantize %arg0, {{.*}} : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<2x1xi8>
// CHECK: luna.quantize %arg1, {{.*}} : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<2x1xi8>
// CHECK: tosa.concat {{.*}} -> tensor<2x2xi8>
func.func @equal_scales(%a: tensor<2x1xf32>, %b: tensor<2x1xf32>) -> tensor<2x2xi8> {
  %s = "tosa.const"() <{values = dense<[[0.5, 0.5]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %z = "tosa.const"() <{values = dense<3> : tensor<1x2xi8>}> : () -> tensor<1x2xi8>
  %c = tosa.concat %a, %b {axis = 1 : i32} : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %q = luna.quantize %c, %s, %z : (tensor<2x2xf32>, tensor<1x2xf32>, tensor<1x2xi8>) -> tensor<2x2xi8>
  return %q : tensor<2x2xi8>
}
