// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{layout=calls}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{layout=calls place=core}))' | FileCheck %s --check-prefix=CORE

// The core adds the constants of borders, a row of the bias for each kind, while
// the unit computes the next channels: the scratch has four tiles of planes,
// which calls finish at once. Where the core finishes them, two tiles take turns.
// CHECK: tiling = array<i32: 25, 5, 16, 64, 3, 3, 4, 64768, 1, 4>
// CORE: tiling = array<i32: 25, 5, 16, 64, 3, 3, 1, 16000, 1, 2>
#planes = strided<[8000, 5, 1, 125]>
func.func @main(%x: memref<1x25x5x64xi8, #planes>, %w: memref<576xi8>, %b: memref<9x64xi32>, %t: memref<2x64xi32>, %y: memref<1x25x5x64xi8, #planes>) {
  luna.conv2d ins(%x, %w : memref<1x25x5x64xi8, #planes>, memref<576xi8>)
      bias(%b : memref<9x64xi32>) table(%t : memref<2x64xi32>)
      outs(%y : memref<1x25x5x64xi8, #planes>)
      {folded_zp = -128 : i32, kind = 1 : i32, pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>,
       tiling = array<i32: 0, 0, 0, 0, 0, 0, 2, 0, 0>, weight_kernel = array<i64: 3, 3>, weight_layout = "Chw16c"}
  return
}
