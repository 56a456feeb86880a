// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{max-bytes=32})' | FileCheck %s

memref.global "private" constant @small : memref<16x1x1x2xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @deep : memref<3x3x20x1xi8, #luna.memory<psram>> = dense<1>

// Exactly as many bytes as allowed, a depthwise convolution, and weights that
// are no constant stay whole.
// CHECK-LABEL: func.func @main
// CHECK-NOT: memref.subview
func.func @main(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x16xi8>, %u: memref<1x4x4x20xi8>, %v: memref<1x2x2x20xi8>, %w: memref<40x1x1x2xi8>, %z: memref<1x4x4x40xi8>) {
  %s = memref.get_global @small : memref<16x1x1x2xi8, #luna.memory<psram>>
  luna.conv2d ins(%x, %s : memref<1x4x4x2xi8>, memref<16x1x1x2xi8, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x16xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  %d = memref.get_global @deep : memref<3x3x20x1xi8, #luna.memory<psram>>
  luna.conv2d ins(%u, %d : memref<1x4x4x20xi8>, memref<3x3x20x1xi8, #luna.memory<psram>>)
      outs(%v : memref<1x2x2x20xi8>) {kind = 1 : i32, requant = #luna.requant<mode = shift, shift = 1>}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<40x1x1x2xi8>)
      outs(%z : memref<1x4x4x40xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}
