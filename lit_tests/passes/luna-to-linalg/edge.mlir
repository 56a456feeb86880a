// The modes of requantisation at their ends; the scratch.
// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @no_shift
// CHECK-NOT: arith.shrsi
// CHECK: arith.shli %{{.*}}, %c0_i64
func.func @no_shift(%x: memref<4xi8>) {
  luna.add ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>) {requant = #luna.requant<mode = shift, shift = 0>}
  return
}

// -----

// CHECK-LABEL: func.func @shift_to_the_left
// CHECK: arith.shli %{{.*}}, %c31_i64
func.func @shift_to_the_left(%x: memref<4xi8>) {
  luna.add ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>) {requant = #luna.requant<mode = shift, shift = -31>}
  return
}

// -----

// CHECK-LABEL: func.func @longest_shift
// CHECK: arith.addi %{{.*}}, %c2305843009213693952_i64
// CHECK: arith.shrsi %{{.*}}, %c62_i64
func.func @longest_shift(%x: memref<4xi8>) {
  luna.add ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>) {requant = #luna.requant<mode = shift, shift = 62>}
  return
}

// -----

// Rounding twice goes away from zero, above a shift of 31.
// CHECK-LABEL: func.func @double_rounding
// CHECK: %[[AWAY:.*]] = arith.select %{{.*}}, %c1073741824_i64
// CHECK: %[[LONG:.*]] = arith.cmpi sgt, %{{.*}}, %c31_i64
// CHECK: arith.select %[[LONG]], %[[AWAY]], %c0_i64
func.func @double_rounding(%x: memref<4xi8>) {
  luna.add ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>) {requant = #luna.requant<mode = multiplier, rounding = double, multiplier = 1073741824, shift = 32>}
  return
}

// -----

// CHECK-LABEL: func.func @per_channel
// CHECK: %[[C:.*]] = linalg.index 2
// CHECK: memref.load %arg2[%c0{{.*}}, %[[C]]]
// CHECK: memref.load %arg2[%c1{{.*}}, %[[C]]]
func.func @per_channel(%x: memref<1x1x2xi8>, %w: memref<1x2x3xi8>, %t: memref<2x3xi32>, %o: memref<1x1x3xi8>) {
  luna.matmul ins(%x, %w : memref<1x1x2xi8>, memref<1x2x3xi8>) table(%t : memref<2x3xi32>) outs(%o : memref<1x1x3xi8>) {requant = #luna.requant<mode = multiplier, per_channel = true>}
  return
}

// -----

// Each step in f32, none fused with another; NaN becomes the lower bound.
// CHECK-LABEL: func.func @float_per_channel
// CHECK: %[[C:.*]] = linalg.index 2
// CHECK: %[[SCALE:.*]] = memref.load %arg2[%[[C]]] : memref<3xf32>
// CHECK: %[[FLOAT:.*]] = arith.sitofp %{{.*}} : i64 to f32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[FLOAT]], %[[SCALE]] : f32
// CHECK: %[[WHOLE:.*]] = math.roundeven %[[SCALED]] : f32
// CHECK: %[[MOVED:.*]] = arith.addf %[[WHOLE]]
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %[[MOVED]], %[[HIGH:.*]] : f32
// CHECK: %[[WITHIN:.*]] = arith.cmpf ogt, %[[MOVED]], %[[LOW:.*]] : f32
// CHECK: %[[REST:.*]] = arith.select %[[WITHIN]], %[[MOVED]], %[[LOW]]
// CHECK: arith.select %[[ABOVE]], %[[HIGH]], %[[REST]]
func.func @float_per_channel(%x: memref<1x1x2xi8>, %w: memref<1x2x3xi8>, %t: memref<3xf32>, %o: memref<1x1x3xi8>) {
  luna.matmul ins(%x, %w : memref<1x1x2xi8>, memref<1x2x3xi8>) table(%t : memref<3xf32>) outs(%o : memref<1x1x3xi8>) {requant = #luna.requant<mode = float, per_channel = true>}
  return
}

// -----

// The unit may leave anything in the scratch: nothing there survives. A tiling
// changes nothing else.
// CHECK-LABEL: func.func @scratch
// CHECK: linalg.generic {{.*}} outs(%arg3 : memref<32xi8>)
// CHECK: %[[PATTERN:.*]] = arith.constant 90 : i8
// CHECK: linalg.yield %[[PATTERN]]
// CHECK: linalg.generic {{.*}} outs(%arg2 : memref<1x2x4xi8>)
func.func @scratch(%x: memref<1x2x2xi8>, %w: memref<1x2x4xi8>, %o: memref<1x2x4xi8>, %s: memref<32xi8>) {
  luna.matmul ins(%x, %w : memref<1x2x2xi8>, memref<1x2x4xi8>) scratch(%s : memref<32xi8>) outs(%o : memref<1x2x4xi8>)
      {tiling = array<i32: 2, 4, 1, 1, 1, 1, 1, 32, 0>, requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}

// -----

// No dimensions, no elements.
// CHECK-LABEL: func.func @scalar
// CHECK: linalg.generic {{.*}} iterator_types = []
func.func @scalar(%x: memref<i8>, %e: memref<0x4xi8>) {
  luna.mul ins(%x, %x : memref<i8>, memref<i8>) outs(%x : memref<i8>) {requant = #luna.requant<mode = shift, shift = 7>}
  luna.mul ins(%e, %e : memref<0x4xi8>, memref<0x4xi8>) outs(%e : memref<0x4xi8>) {requant = #luna.requant<mode = shift, shift = 7>}
  return
}
