// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=2304 least-bytes=0}))' | FileCheck %s --check-prefix=FULL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=2303 least-bytes=0}))' | FileCheck %s --check-prefix=OVER
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=4912 least-bytes=0}))' | FileCheck %s --check-prefix=BESIDE
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=4911 least-bytes=0}))' | FileCheck %s --check-prefix=NARROW

// 6x6x16 sums of 32 bits are 2304 bytes: one launch where the scratch is just
// as large, several where one byte is missing.
// FULL-LABEL: func.func @main(
// FULL: memref<2304xi8, #luna.memory<shared>>
// FULL: tiling = array<i32: 6, 6, 16, 8, 3, 3, 2, 2304, 0>
// OVER-LABEL: func.func @main(
// OVER-NOT: 2304
// OVER: tiling = array<i32: {{[1-6]}}, {{[1-6]}}, {{[0-9]+}}, 8, 3, 3, 2,
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
// FULL: tiling = array<i32: 1, 1, 1, 1, 1, 1, 1, 16, 0>
// OVER-LABEL: func.func @one(
func.func @one(%x: memref<1x1x1x1xi8>, %w: memref<1x1x1x1xi8>, %y: memref<1x1x1x1xi8>) {
  luna.conv2d ins(%x, %w : memref<1x1x1x1xi8>, memref<1x1x1x1xi8>)
      outs(%y : memref<1x1x1x1xi8>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}

// Scratch is what is free where the operator runs: beside its input and output
// (512 and 576 bytes), a tensor that is read later (112), its weights (1152)
// and those of the next operator, which may be loaded meanwhile (256).
// BESIDE-LABEL: func.func @beside(
// BESIDE: tiling = array<i32: 6, 6, 16, 8, 3, 3, 2, 2304, 0>
// NARROW-LABEL: func.func @beside(
// NARROW: tiling = array<i32: 3, 6, 16, 8, 3, 3, 2, 1152, 0>
// The least that there is, if nothing is free.
// OVER-LABEL: func.func @beside(
// OVER: tiling = array<i32: 1, 1, 4, 8, 3, 3, 1, 16, 0>
memref.global "private" constant @weights : memref<16x3x3x8xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @table : memref<256xi8, #luna.memory<psram>> = dense<1>
func.func @beside(%in: memref<1x8x8x8xi8, #luna.memory<psram>>, %late: memref<112xi8, #luna.memory<psram>>) {
  %x = memref.alloc() : memref<1x8x8x8xi8, #luna.memory<shared>>
  %y = memref.alloc() : memref<1x6x6x16xi8, #luna.memory<shared>>
  %z = memref.alloc() : memref<112xi8, #luna.memory<shared>>
  %w = memref.get_global @weights : memref<16x3x3x8xi8, #luna.memory<psram>>
  %t = memref.get_global @table : memref<256xi8, #luna.memory<psram>>
  memref.copy %in, %x : memref<1x8x8x8xi8, #luna.memory<psram>> to memref<1x8x8x8xi8, #luna.memory<shared>>
  memref.copy %late, %z : memref<112xi8, #luna.memory<psram>> to memref<112xi8, #luna.memory<shared>>
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8, #luna.memory<shared>>, memref<16x3x3x8xi8, #luna.memory<psram>>)
      outs(%y : memref<1x6x6x16xi8, #luna.memory<shared>>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  luna.table ins(%z, %t : memref<112xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
      outs(%z : memref<112xi8, #luna.memory<shared>>)
  luna.table ins(%y, %t : memref<1x6x6x16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
      outs(%y : memref<1x6x6x16xi8, #luna.memory<shared>>)
  return
}
