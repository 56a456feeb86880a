// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{layout=calls})' | FileCheck %s
// CHECK-NOT: memref.copy

#s = #luna.memory<shared>
!rows = memref<1x8x8x4xi8, #s>
!planes = memref<1x8x8x4xi8, strided<[256, 8, 1, 64]>, #s>

// Launches that are no calls with planes, either: a transposed convolution, a
// kernel above the limit.
func.func @no_calls(%x: !rows, %w: memref<4x2x2x4xi8, #s>, %y: memref<1x16x16x4xi8, #s>, %v: memref<4x7x7x4xi8, #s>, %z: memref<1x2x2x4xi8, #s>) {
  luna.conv2d ins(%x, %w : !rows, memref<4x2x2x4xi8, #s>) outs(%y : memref<1x16x16x4xi8, #s>)
      {kind = 2 : i32, stride = array<i64: 2, 2>, requant = #luna.requant<mode = shift, shift = 7>}
  luna.conv2d ins(%x, %v : !rows, memref<4x7x7x4xi8, #s>) outs(%z : memref<1x2x2x4xi8, #s>)
      {requant = #luna.requant<mode = shift, shift = 7>}
  return
}

// Sums of rows; several images; a matrix product.
func.func @others(%x: !rows, %y: !rows, %b: memref<2x8x8x4xi8, #s>, %w: memref<4x1x1x4xi8, #s>, %c: memref<2x8x8x4xi8, #s>, %m: memref<1x8x4xi8, #s>, %n: memref<1x4x4xi8, #s>, %p: memref<1x8x4xi8, #s>) {
  luna.add ins(%x, %x : !rows, !rows) outs(%y : !rows) {requant = #luna.requant<mode = shift, shift = 1>}
  luna.matmul ins(%m, %n : memref<1x8x4xi8, #s>, memref<1x4x4xi8, #s>) outs(%p : memref<1x8x4xi8, #s>) {requant = #luna.requant<mode = shift, shift = 7>}
  return
}
