// Element by element: tables, and rescales that are right for all pairs.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fuse-quantization))' --split-input-file | FileCheck %s

// x * sigmoid(x) of one value, dequantised twice: one table. Quantised anew to
// the same scale, nothing is left.
// CHECK-LABEL: func.func @one_value
// CHECK-NEXT: %[[T:.*]] = "tosa.const"()
// CHECK-NEXT: %[[Y:.*]] = tosa.table %arg0, %[[T]]
// CHECK-NEXT: return %[[Y]], %arg0
func.func @one_value(%q: tensor<4x8xi8>) -> (tensor<4x8xi8>, tensor<4x8xi8>) {
  %s = "tosa.const"() <{values = dense<0.1> : tensor<f32>}> : () -> tensor<f32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %x = luna.dequantize %q, %s : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
  %y = luna.dequantize %q, %s : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
  %g = tosa.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = tosa.mul %y, %g, %shift : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi8>) -> tensor<4x8xf32>
  %r = luna.quantize %m, %s : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
  %same = luna.quantize %x, %s : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
  return %r, %same : tensor<4x8xi8>, tensor<4x8xi8>
}

// -----

// The table of a square, clamped: 4 * 0.25 is 1, rounded half to even, or away
// from zero where that is asked for.
// CHECK-LABEL: func.func @rounding
// CHECK: dense<"0x[[EVEN:[0-9A-F]*]]"> : tensor<256xi8>
// CHECK-NOT: [[EVEN]]
// CHECK: dense<"0x
// CHECK-NOT: luna.
func.func @rounding(%q: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>) {
  %s = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %t = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %x = luna.dequantize %q, %s : (tensor<8xi8>, tensor<f32>) -> tensor<8xf32>
  %m = tosa.mul %x, %x, %shift : (tensor<8xf32>, tensor<8xf32>, tensor<1xi8>) -> tensor<8xf32>
  %a = luna.quantize %m, %t : (tensor<8xf32>, tensor<f32>) -> tensor<8xi8>
  %b = luna.quantize %m, %t rounding half_away : (tensor<8xf32>, tensor<f32>) -> tensor<8xi8>
  return %a, %b : tensor<8xi8>, tensor<8xi8>
}

// -----

// CHECK-LABEL: func.func @sum
// CHECK: %[[A:.*]] = tosa.rescale %arg0
// CHECK: %[[B:.*]] = tosa.rescale %arg1
// CHECK: %[[S:.*]] = tosa.add %[[A]], %[[B]]
// CHECK: %[[R:.*]] = tosa.rescale %[[S]]
// CHECK: %[[C:.*]] = tosa.clamp %[[R]] {max_val = 127 : i8, min_val = -8 : i8}
// CHECK: return %[[C]]
func.func @sum(%p: tensor<4x8xi8>, %q: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %s = "tosa.const"() <{values = dense<0.031135271> : tensor<f32>}> : () -> tensor<f32>
  %t = "tosa.const"() <{values = dense<0.017319423> : tensor<f32>}> : () -> tensor<f32>
  %u = "tosa.const"() <{values = dense<0.040253731> : tensor<f32>}> : () -> tensor<f32>
  %z = "tosa.const"() <{values = dense<-8> : tensor<i8>}> : () -> tensor<i8>
  %x = luna.dequantize %p, %s : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
  %y = luna.dequantize %q, %t : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
  %a = tosa.add %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = tosa.clamp %a {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = luna.quantize %c, %u, %z : (tensor<4x8xf32>, tensor<f32>, tensor<i8>) -> tensor<4x8xi8>
  return %r : tensor<4x8xi8>
}

// -----

// f32 breaks the ties of these decimal scales now this way, now that: no
// rescales give all results. Each sum gets the dequantised values for itself.
// CHECK-LABEL: func.func @ties
// CHECK-COUNT-4: luna.dequantize
// CHECK-NOT: tosa.rescale
// CHECK: luna.quantize {{.*}} {clamp_min = 0 : i32}
func.func @ties(%p: tensor<4x8xi8>, %q: tensor<4x8xi8>) -> (tensor<4x8xi8>, tensor<4x8xi8>) {
  %s = "tosa.const"() <{values = dense<0.02> : tensor<f32>}> : () -> tensor<f32>
  %t = "tosa.const"() <{values = dense<0.05> : tensor<f32>}> : () -> tensor<f32>
  %u = "tosa.const"() <{values = dense<0.04> : tensor<f32>}> : () -> tensor<f32>
  %x = luna.dequantize %p, %s : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
  %y = luna.dequantize %q, %t : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
  %a = tosa.add %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = tosa.clamp %a {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = luna.quantize %c, %u : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
  %b = tosa.sub %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = luna.quantize %b, %u : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
  return %r, %d : tensor<4x8xi8>, tensor<4x8xi8>
}
