// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout)' | FileCheck %s

// A plane of four places costs more than its multiplier saves; one of 256 does
// not.
// CHECK-LABEL: @small
// CHECK-NOT: strided
// CHECK-LABEL: @large
// CHECK: memref.alloc() : memref<1x16x16x8xi8, strided
func.func @small(%x: memref<1x2x2x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x2x2x8xi8>) {
  %a = memref.alloc() : memref<1x2x2x8xi8>
  luna.conv2d ins(%x, %w : memref<1x2x2x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%a : memref<1x2x2x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  luna.max_pool2d ins(%a : memref<1x2x2x8xi8>) outs(%y : memref<1x2x2x8xi8>) {kernel = array<i64: 1, 1>, stride = array<i64: 1, 1>}
  return
}
func.func @large(%x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x16x16x8xi8>) {
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  luna.max_pool2d ins(%a : memref<1x16x16x8xi8>) outs(%y : memref<1x16x16x8xi8>) {kernel = array<i64: 1, 1>, stride = array<i64: 1, 1>}
  return
}

// A declaration has nothing to choose.
// CHECK: func.func private @declared
func.func private @declared(memref<1x2x2x8xi8>)
