// Pools of three dimensions or with dilation, which are a linalg.generic each.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fuse-quantization))' --split-input-file | FileCheck %s

// The largest integers stand for the largest numbers; nothing is -128 less.
// CHECK-LABEL: func.func @max_sinks
// CHECK: %[[LEAST:.*]] = "tosa.const"() <{values = dense<-128> : tensor<1x2xi8>}>
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%arg0, %{{.*}} : tensor<1x4xi8>, tensor<2xf32>) outs(%[[LEAST]] : tensor<1x2xi8>)
// CHECK: arith.maxsi
// CHECK: luna.dequantize %[[MAX]]
#in = affine_map<(d0, d1, d2) -> (d0, d1 + d2 * 2)>
#kernel = affine_map<(d0, d1, d2) -> (d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @max_sinks(%q: tensor<1x4xi8>) -> tensor<1x2xf32> {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %z = "tosa.const"() <{values = dense<5> : tensor<i8>}> : () -> tensor<i8>
  %least = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %k = tensor.empty() : tensor<2xf32>
  %x = luna.dequantize %q, %s, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
  %m = linalg.generic {indexing_maps = [#in, #kernel, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %k : tensor<1x4xf32>, tensor<2xf32>) outs(%least : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.maximumf %old, %a : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  return %m : tensor<1x2xf32>
}

// -----

// Quantised ahead of the pool and of its padding, whatever that is.
// CHECK-LABEL: func.func @max_hoists
// CHECK: %[[Q:.*]] = luna.quantize %arg0, {{.*}} {clamp_min = -100 : i32} : (tensor<1x3xf32>
// CHECK: %[[LEAST:.*]] = "tosa.const"() <{values = dense<-100> : tensor<1xi8>}>
// CHECK: %[[PADDED:.*]] = tosa.pad %[[Q]], %{{.*}}, %[[LEAST]]
// CHECK: %[[START:.*]] = "tosa.const"() <{values = dense<7> : tensor<1x2xi8>}>
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[PADDED]], %{{.*}} : tensor<1x4xi8>, tensor<2xf32>) outs(%[[START]] : tensor<1x2xi8>)
// CHECK: arith.maxsi
// CHECK: return %[[MAX]]
#in = affine_map<(d0, d1, d2) -> (d0, d1 + d2 * 2)>
#kernel = affine_map<(d0, d1, d2) -> (d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @max_hoists(%x: tensor<1x3xf32>) -> tensor<1x2xi8> {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %z = "tosa.const"() <{values = dense<5> : tensor<i8>}> : () -> tensor<i8>
  %least = "tosa.const"() <{values = dense<0xFF800000> : tensor<1xf32>}> : () -> tensor<1xf32>
  %one = "tosa.const"() <{values = dense<1.0> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %k = tensor.empty() : tensor<2xf32>
  %pads = tosa.const_shape {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %p = tosa.pad %x, %pads, %least : (tensor<1x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<1x4xf32>
  %m = linalg.generic {indexing_maps = [#in, #kernel, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %k : tensor<1x4xf32>, tensor<2xf32>) outs(%one : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.maximumf %a, %old : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  %y = luna.quantize %m, %s, %z {clamp_min = -100 : i32} : (tensor<1x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2xi8>
  return %y : tensor<1x2xi8>
}

// -----

// The same along a whole dimension.
// CHECK-LABEL: func.func @reductions
// CHECK: %[[MAX:.*]] = tosa.reduce_max %arg0 {{.*}} -> tensor<1x1xi8>
// CHECK: %[[MIN:.*]] = tosa.reduce_min %arg0 {{.*}} -> tensor<1x1xi8>
// CHECK: %[[X:.*]] = luna.dequantize %[[MIN]]
// CHECK: return %[[MAX]], %[[X]]
func.func @reductions(%q: tensor<1x4xi8>) -> (tensor<1x1xi8>, tensor<1x1xf32>) {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %x = luna.dequantize %q, %s : (tensor<1x4xi8>, tensor<f32>) -> tensor<1x4xf32>
  %max = tosa.reduce_max %x {axis = 1 : i32} : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %min = tosa.reduce_min %x {axis = 1 : i32} : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %y = luna.quantize %max, %s : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xi8>
  return %y, %min : tensor<1x1xi8>, tensor<1x1xf32>
}

// -----

// Averages: sums of int32 less the zero point, and one factor.
// CHECK-LABEL: func.func @mean
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%arg0, %{{.*}} : tensor<1x4xi8>, tensor<2xf32>) outs(%{{.*}} : tensor<1x2xi32>)
// CHECK: %[[WIDE:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: %[[LESS:.*]] = arith.subi %[[WIDE]], %c5_i32
// CHECK: arith.addi %{{.*}}, %[[LESS]]
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : tensor<1x2xi32>) outs(%{{.*}} : tensor<1x2xi8>)
// CHECK-NOT: luna.quantize
#in = affine_map<(d0, d1, d2) -> (d0, d1 + d2 * 2)>
#kernel = affine_map<(d0, d1, d2) -> (d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @mean(%q: tensor<1x4xi8>) -> tensor<1x2xi8> {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %z = "tosa.const"() <{values = dense<5> : tensor<i8>}> : () -> tensor<i8>
  %none = "tosa.const"() <{values = dense<0.0> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %half = "tosa.const"() <{values = dense<0.5> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %k = tensor.empty() : tensor<2xf32>
  %x = luna.dequantize %q, %s, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
  %m = linalg.generic {indexing_maps = [#in, #kernel, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %k : tensor<1x4xf32>, tensor<2xf32>) outs(%none : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.addf %old, %a : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  %h = tosa.mul %m, %half, %shift : (tensor<1x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x2xf32>
  %y = luna.quantize %h, %s, %z : (tensor<1x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2xi8>
  return %y : tensor<1x2xi8>
}

// -----

// Another start than minus infinity is a number that integers may not have; an
// average by another factor is none.
// CHECK-LABEL: func.func @stays
// CHECK: arith.maximumf
// CHECK: arith.addf
// CHECK: tosa.mul {{.*}} -> tensor<1x2xf32>
#in = affine_map<(d0, d1, d2) -> (d0, d1 + d2 * 2)>
#kernel = affine_map<(d0, d1, d2) -> (d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @stays(%q: tensor<1x4xi8>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %none = "tosa.const"() <{values = dense<0.0> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %third = "tosa.const"() <{values = dense<0.3> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %k = tensor.empty() : tensor<2xf32>
  %x = luna.dequantize %q, %s : (tensor<1x4xi8>, tensor<f32>) -> tensor<1x4xf32>
  %m = linalg.generic {indexing_maps = [#in, #kernel, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %k : tensor<1x4xf32>, tensor<2xf32>) outs(%none : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.maximumf %old, %a : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  %n = linalg.generic {indexing_maps = [#in, #kernel, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %k : tensor<1x4xf32>, tensor<2xf32>) outs(%none : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.addf %old, %a : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  %h = tosa.mul %n, %third, %shift : (tensor<1x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x2xf32>
  return %m, %h : tensor<1x2xf32>, tensor<1x2xf32>
}
