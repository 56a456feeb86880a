// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=2304 least-bytes=0}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=2303 least-bytes=0}))' | FileCheck %s --check-prefix=LESS
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=1 least-bytes=2304}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=1}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=venus place=unit}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{place=core}))' | FileCheck %s --check-prefix=CORE
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{place=moon}))' 2>&1 | FileCheck %s --check-prefix=PLACE

func.func @main(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>)
      outs(%y : memref<1x6x6x16xi8>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}

// All results in one launch need 2304 bytes; with one byte less there are two
// launches of three rows each.
// ALL: tiling = array<i32: 6, 6, 16, 8, 3, 3, 2, 2304>
// LESS: tiling = array<i32: 3, 6, 16, 8, 3, 3, 2, 1152>

// The core may finish the sums, too.
// CORE: tiling = array<i32: 6, 6, 16, 8, 3, 3, 1, 2304>
// PLACE: options.mlir:[[# @LINE - 14]]:1: error: place is 'moon', allowed are auto, core and unit
