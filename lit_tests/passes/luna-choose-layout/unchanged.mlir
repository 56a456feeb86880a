// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout)' | FileCheck %s

// CHECK-NOT: strided<{{.*}} 1, 256]

// The bytes of an argument are what they are: so are those copied there.
func.func @argument(%x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x16x16x8xi8>) {
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  memref.copy %a, %y : memref<1x16x16x8xi8> to memref<1x16x16x8xi8>
  return
}

// A reshape needs rows of channels.
func.func @reshaped(%z: memref<2048xi8>, %x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x16x16x8xi8>) {
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  %r = memref.collapse_shape %a [[0, 1, 2, 3]] : memref<1x16x16x8xi8> into memref<2048xi8>
  memref.copy %r, %z : memref<2048xi8> to memref<2048xi8>
  return
}

// Weights are packed; a view that skips columns has strides that do not say how
// its buffer lies.
func.func @weights(%x: memref<1x20x20x8xi8>, %y: memref<1x5x5x16xi32>, %z: memref<1x16x8x8xi8>) {
  %w = memref.alloc() : memref<16x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x20x20x8xi8>, memref<16x16x16x8xi8>) outs(%y : memref<1x5x5x16xi32>) {requant = #luna.requant<>}
  %a = memref.alloc() : memref<1x16x16x8xi8>
  %p = memref.subview %a[0, 0, 0, 0] [1, 16, 8, 8] [1, 1, 2, 1] : memref<1x16x16x8xi8> to memref<1x16x8x8xi8, strided<[2048, 128, 16, 1]>>
  luna.max_pool2d ins(%z : memref<1x16x8x8xi8>) outs(%p : memref<1x16x8x8xi8, strided<[2048, 128, 16, 1]>>) {kernel = array<i64: 1, 1>, stride = array<i64: 1, 1>}
  return
}

// Shifts are the unit's, whatever the layout.
func.func @shift(%x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %y: memref<1x16x16x8xi8>) {
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  luna.max_pool2d ins(%a : memref<1x16x16x8xi8>) outs(%y : memref<1x16x16x8xi8>) {kernel = array<i64: 1, 1>, stride = array<i64: 1, 1>}
  return
}
