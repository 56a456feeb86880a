// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=planar})' | FileCheck %s --check-prefix=PLANAR
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=nhwc})' | FileCheck %s --check-prefix=ROWS
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=auto})' | FileCheck %s --check-prefix=AUTO
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{machine=venus:vector scratch-bytes=16384})' | FileCheck %s --check-prefix=AUTO

// By shifts both layouts cost the same.
// PLANAR: memref.alloc() : memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>
// ROWS: memref.alloc() : memref<1x16x16x8xi8>
// AUTO: memref.alloc() : memref<1x16x16x8xi8>
func.func @main(%x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %y: memref<1x16x16x8xi8>) {
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  luna.max_pool2d ins(%a : memref<1x16x16x8xi8>) outs(%y : memref<1x16x16x8xi8>) {kernel = array<i64: 1, 1>, stride = array<i64: 1, 1>}
  return
}

// The unit finishes rows of channels by multi_vec_mul, the core planes; where
// there is no such call, the unit planes.
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{place=auto})' | FileCheck %s --check-prefix=UNIT
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{place=core})' | FileCheck %s --check-prefix=CORE
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{machine=arcs})' | FileCheck %s --check-prefix=CORE
// UNIT-LABEL: @channels
// UNIT: memref.alloc() : memref<1x16x16x8xi8>
// CORE-LABEL: @channels
// CORE: memref.alloc() : memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>
memref.global "private" constant @scales : memref<2x8xi32> = dense<[[1300000000, 1300000001, 1300000002, 1300000003, 1300000004, 1300000005, 1300000006, 1300000007], [38, 39, 40, 38, 39, 40, 38, 39]]>
func.func @channels(%x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %y: memref<1x16x16x8xi8>) {
  %t = memref.get_global @scales : memref<2x8xi32>
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>) outs(%a : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  luna.conv2d ins(%a, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) outs(%y : memref<1x16x16x8xi8>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  return
}
