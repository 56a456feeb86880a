// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=2304 least-bytes=0}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=2303 least-bytes=0}))' | FileCheck %s --check-prefix=LESS
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=1 least-bytes=2304}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=1}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=venus place=unit}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{place=core}))' | FileCheck %s --check-prefix=CORE
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{place=moon}))' 2>&1 | FileCheck %s --check-prefix=PLACE

// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{layout=calls}))' | FileCheck %s --check-prefix=CALLS
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=arcs layout=calls}))' | FileCheck %s --check-prefix=ARCS

func.func @main(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>)
      outs(%y : memref<1x6x6x16xi8>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}

// All results in one launch need 2304 bytes; with one byte less there are two
// launches of three rows each.
// ALL: tiling = array<i32: 6, 6, 16, 8, 3, 3, 2, 2304, 0>
// LESS: tiling = array<i32: 3, 6, 16, 8, 3, 3, 2, 1152, 0>

// The core may finish the sums, too: in two slots, while the unit computes.
// CORE: tiling = array<i32: 2, 6, 16, 8, 3, 3, 1, 1536, 0, 2>
// PLACE: options.mlir:[[# @LINE - 14]]:1: error: place is 'moon', allowed are auto, core and unit

// One call of the vendor's library computes whole planes. It is told into how
// many strips to cut their rows, a divisor of these, or cuts them by itself; rows
// of channels are no planes.
// CALLS-LABEL: @main
// CALLS: tiling = array<i32: 6, 6, 16, 8, 3, 3, 2, 2304, 0>
// CALLS-LABEL: @planes
// CALLS: tiling = array<i32: 90, 80, 16, 16, 3, 3, 0, 0, 2>
// CALLS: tiling = array<i32: 90, 80, 8, 8, 3, 3, 0, 0, 1>
// ARCS-LABEL: @planes
// ARCS: tiling = array<i32: 90, 80, 16, 16, 3, 3, 0, 0, 9>
// ARCS: tiling = array<i32: 90, 80, 8, 8, 3, 3, 0, 0, 5>
!planes = memref<1x90x80x16xi8, strided<[115200, 80, 1, 7200]>>
!eight = memref<1x90x80x8xi8, strided<[57600, 80, 1, 7200]>>
func.func @planes(%x: !planes, %w: memref<16x3x3x16xi8>, %y: !planes, %a: !eight, %d: memref<3x3x8x1xi8>, %b: !eight) {
  luna.conv2d ins(%x, %w : !planes, memref<16x3x3x16xi8>) outs(%y : !planes) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  luna.conv2d ins(%a, %d : !eight, memref<3x3x8x1xi8>) outs(%b : !eight) {kind = 1 : i32, pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  return
}
