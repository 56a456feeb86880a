// With layout=calls, weights lie in the order in which the machine's library
// reads them; blocks are filled up with zeros.
// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-pack-weights{layout=calls})' | FileCheck %s --check-prefixes=CHECK,VENUS
// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-pack-weights{machine=venusa layout=calls})' | FileCheck %s --check-prefixes=CHECK,VENUSA
// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-pack-weights)' | FileCheck %s --check-prefix=PLAIN

// Three output channels of 1 x 2 taps and two inputs: pairs on venus, quads on
// venusa.
memref.global "private" constant @w : memref<3x1x2x2xi8, #luna.memory<psram>> = dense<[[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]], [[[9, 10], [11, 12]]]]>
// VENUS: dense<[1, 2, 0, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 0, 0, 9, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]>
// VENUSA: dense<[1, 2, 0, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0, 9, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 0, 0, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]>
// PLAIN: dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
// CHECK-LABEL: func.func @pairs
func.func @pairs(%x: memref<1x4x4x2xi8, strided<[32, 4, 1, 16]>, #luna.memory<shared>>, %y: memref<1x4x3x3xi8, strided<[36, 3, 1, 12]>, #luna.memory<shared>>) {
  %w = memref.get_global @w : memref<3x1x2x2xi8, #luna.memory<psram>>
  // CHECK: memref<64xi8, #luna.memory<psram>>)
  // VENUS-SAME: weight_kernel = array<i64: 1, 2>, weight_layout = "OhwI2o8i"
  // VENUSA-SAME: weight_kernel = array<i64: 1, 2>, weight_layout = "OhwI4o8i"
  // PLAIN-NOT: weight_layout
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8, strided<[32, 4, 1, 16]>, #luna.memory<shared>>, memref<3x1x2x2xi8, #luna.memory<psram>>)
      outs(%y : memref<1x4x3x3xi8, strided<[36, 3, 1, 12]>, #luna.memory<shared>>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// -----

// Three rows of a depthwise kernel, two channels: lanes of 16 channels, or pairs
// of rows and quads of channels.
memref.global "private" constant @d : memref<3x1x2x1xi8, #luna.memory<psram>> = dense<[[[[1], [2]]], [[[3], [4]]], [[[5], [6]]]]>
// VENUS: dense<[1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]>
// VENUSA: dense<[1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0]>
// CHECK-LABEL: func.func @lanes
func.func @lanes(%x: memref<1x4x4x2xi8, strided<[32, 4, 1, 16]>, #luna.memory<shared>>, %y: memref<1x2x4x2xi8, strided<[16, 4, 1, 8]>, #luna.memory<shared>>) {
  %d = memref.get_global @d : memref<3x1x2x1xi8, #luna.memory<psram>>
  // VENUS: weight_layout = "Chw16c"
  // VENUSA: weight_layout = "HwC2h4c"
  luna.conv2d ins(%x, %d : memref<1x4x4x2xi8, strided<[32, 4, 1, 16]>, #luna.memory<shared>>, memref<3x1x2x1xi8, #luna.memory<psram>>)
      outs(%y : memref<1x2x4x2xi8, strided<[16, 4, 1, 8]>, #luna.memory<shared>>) {kind = 1 : i32, requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// -----

// No calls: rows of channels that are not on chip, and inputs of 16 bits.
memref.global "private" constant @w : memref<2x1x1x2xi8, #luna.memory<psram>> = dense<3>
// CHECK-LABEL: func.func @no_calls
// CHECK-NOT: weight_layout
func.func @no_calls(%x: memref<1x4x4x2xi8, #luna.memory<psram>>, %v: memref<1x4x4x2xi8, #luna.memory<psram>>, %z: memref<1x4x4x2xi16, strided<[32, 4, 1, 16]>, #luna.memory<shared>>, %y: memref<1x4x4x2xi8, strided<[32, 4, 1, 16]>, #luna.memory<shared>>) {
  %w = memref.get_global @w : memref<2x1x1x2xi8, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8, #luna.memory<psram>>, memref<2x1x1x2xi8, #luna.memory<psram>>)
      outs(%v : memref<1x4x4x2xi8, #luna.memory<psram>>) {requant = #luna.requant<mode = shift, shift = 1>}
  luna.conv2d ins(%z, %w : memref<1x4x4x2xi16, strided<[32, 4, 1, 16]>, #luna.memory<shared>>, memref<2x1x1x2xi8, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x2xi8, strided<[32, 4, 1, 16]>, #luna.memory<shared>>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}
