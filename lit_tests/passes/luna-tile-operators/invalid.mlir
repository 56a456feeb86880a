// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=pluto}))' 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{scratch-bytes=4}))' 2>&1 | FileCheck %s --check-prefix=SCRATCH
// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-tile-operators))'

// MACHINE: error: {{.*}}'pluto'
// SCRATCH: invalid.mlir:[[# @LINE + 5]]:3: error: needs 32 bytes of scratch, allowed are 4

func.func @dynamic_strides(%x: memref<1x8x8x8xi8>, %w: memref<16x7x7x8xi8>, %y: memref<1x2x2x16xi8>, %z: memref<1x8x8x8xi8, strided<[?, ?, ?, ?]>>, %v: memref<1x6x6x16xi8>, %k: memref<16x3x3x8xi8>) {
  // The partial sums of a large kernel need room for two tiles.
  // Nothing wrong with it otherwise.
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x7x7x8xi8>) outs(%y : memref<1x2x2x16xi8>) {requant = #luna.requant<mode = shift, shift = 9>}
  // expected-error @below {{operand 0 needs static strides, extents below 2^31 and an element type of the runtime}}
  luna.conv2d ins(%z, %k : memref<1x8x8x8xi8, strided<[?, ?, ?, ?]>>, memref<16x3x3x8xi8>) outs(%v : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = shift, shift = 7>}
  return
}
