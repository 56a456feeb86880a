// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators))' | FileCheck %s

func.func @main(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>)
      outs(%y : memref<1x6x6x16xi8>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}

// All 6x6x16 results in one launch; vector calls of the unit requantise them.
// CHECK: %[[S:.*]] = memref.alloc() {luna.kind = "scratch"} : memref<2304xi8, #luna.memory<shared>>
// CHECK: luna.conv2d {{.*}} scratch(%[[S]] : memref<2304xi8, #luna.memory<shared>>)
// CHECK-SAME: tiling = array<i32: 6, 6, 16, 8, 3, 3, 2, 2304, 0>
