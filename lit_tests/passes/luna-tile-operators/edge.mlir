// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{scratch-bytes=2304}))' | FileCheck %s --check-prefix=FULL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{scratch-bytes=2303}))' | FileCheck %s --check-prefix=OVER

// 6x6x16 sums of 32 bits are 2304 bytes: one launch where the scratch is just
// as large, several where one byte is missing.
// FULL-LABEL: func.func @main(
// FULL: memref<2304xi8, #luna.memory<shared>>
// FULL: tiling = array<i32: 6, 6, 16, 8, 3, 3, 1, 2304>
// OVER-LABEL: func.func @main(
// OVER-NOT: 2304
// OVER: tiling = array<i32: {{[1-6]}}, {{[1-6]}}, {{[0-9]+}}, 8, 3, 3, 1,
// OVER-NOT: 2304
func.func @main(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>)
      outs(%y : memref<1x6x6x16xi8>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}

// One pixel, one channel: a scratch of 16 bytes, as buffers are aligned.
// FULL-LABEL: func.func @one(
// FULL: memref<16xi8, #luna.memory<shared>>
// FULL: tiling = array<i32: 1, 1, 1, 1, 1, 1, 1, 16>
// OVER-LABEL: func.func @one(
func.func @one(%x: memref<1x1x1x1xi8>, %w: memref<1x1x1x1xi8>, %y: memref<1x1x1x1xi8>) {
  luna.conv2d ins(%x, %w : memref<1x1x1x1xi8>, memref<1x1x1x1xi8>)
      outs(%y : memref<1x1x1x1xi8>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}
