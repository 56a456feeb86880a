// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout)' | FileCheck %s

// What a branch yields has one layout on both sides.
// CHECK-LABEL: @branch
// CHECK: scf.if {{.*}} -> (memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>)
// CHECK: luna.add ins({{.*}} : memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>
func.func @branch(%i: i1, %x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x16x16x8xi8>) {
  %r = scf.if %i -> (memref<1x16x16x8xi8>) {
    %a = memref.alloc() : memref<1x16x16x8xi8>
    luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
    scf.yield %a : memref<1x16x16x8xi8>
  } else {
    %b = memref.alloc() : memref<1x16x16x8xi8>
    luna.conv2d ins(%y, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%b : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
    scf.yield %b : memref<1x16x16x8xi8>
  }
  %s = memref.alloc() : memref<1x16x16x8xi8>
  luna.add ins(%r, %r : memref<1x16x16x8xi8>, memref<1x16x16x8xi8>) outs(%s : memref<1x16x16x8xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  luna.conv2d ins(%s, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) outs(%y : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  return
}

// What loops carry, and its first value.
// CHECK-LABEL: @carried
// CHECK: scf.for {{.*}} iter_args(%[[V:.*]] = %{{.*}}) -> (memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>)
// CHECK: luna.conv2d ins(%[[V]], %{{.*}} : memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>
func.func @carried(%x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x16x16x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %a) -> (memref<1x16x16x8xi8>) {
    %b = memref.alloc() : memref<1x16x16x8xi8>
    luna.conv2d ins(%v, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%b : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
    scf.yield %b : memref<1x16x16x8xi8>
  }
  luna.conv2d ins(%r, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) outs(%y : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  return
}

// A loop before and after its condition.
// CHECK-LABEL: @while
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>) -> memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>
func.func @while(%i: memref<i1>, %x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x16x16x8xi8>) {
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  %r = scf.while (%v = %a) : (memref<1x16x16x8xi8>) -> memref<1x16x16x8xi8> {
    %q = memref.load %i[] : memref<i1>
    scf.condition(%q) %v : memref<1x16x16x8xi8>
  } do {
  ^bb0(%u: memref<1x16x16x8xi8>):
    %b = memref.alloc() : memref<1x16x16x8xi8>
    luna.conv2d ins(%u, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%b : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
    scf.yield %b : memref<1x16x16x8xi8>
  }
  luna.conv2d ins(%r, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) outs(%y : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  return
}

// A part of a planar buffer begins where its first element lies: row 1, column 2
// of channel 3.
// CHECK-LABEL: @part
// CHECK: memref.alloc() : memref<1x17x18x11xi8, strided<[3366, 18, 1, 306]>>
// CHECK: memref.subview {{.*}} to memref<1x16x16x8xi8, strided<[3366, 18, 1, 306], offset: 938>>
func.func @part(%x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x16x16x8xi8>) {
  %z = arith.constant 0 : i8
  %a = memref.alloc() : memref<1x17x18x11xi8>
  linalg.fill ins(%z : i8) outs(%a : memref<1x17x18x11xi8>)
  %p = memref.subview %a[0, 1, 2, 3] [1, 16, 16, 8] [1, 1, 1, 1] : memref<1x17x18x11xi8> to memref<1x16x16x8xi8, strided<[3366, 198, 11, 1], offset: 223>>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%p : memref<1x16x16x8xi8, strided<[3366, 198, 11, 1], offset: 223>>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  return
}
