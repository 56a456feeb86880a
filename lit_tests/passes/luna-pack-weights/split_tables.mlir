// Per-channel tables are cut along their channels, the last dimension:
// multipliers and shifts (2xC), or scales (C).
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{max-bytes=32})' --split-input-file | FileCheck %s

memref.global "private" constant @w : memref<20x1x1x2xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @t : memref<20xf32, #luna.memory<psram>> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0]>

// 17.0, 18.0, 19.0 and 20.0 after four channels of weights.
// CHECK: @params1 : memref<32xi8, {{.*}}dense<[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -120, 65, 0, 0, -112, 65, 0, 0, -104, 65, 0, 0, -96, 65]>
// CHECK-LABEL: func.func @scales
// CHECK: luna.conv2d {{.*}} table(%{{.*}} : memref<16xf32, #luna.memory<psram>>)
// CHECK: luna.conv2d {{.*}} table(%{{.*}} : memref<4xf32, #luna.memory<psram>>)
func.func @scales(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x20xi8>) {
  %w = memref.get_global @w : memref<20x1x1x2xi8, #luna.memory<psram>>
  %t = memref.get_global @t : memref<20xf32, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<20x1x1x2xi8, #luna.memory<psram>>)
      table(%t : memref<20xf32, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x20xi8>) {requant = #luna.requant<mode = float, per_channel = true>}
  return
}

// -----

memref.global "private" constant @w : memref<20x1x1x2xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @t : memref<2x20xi32, #luna.memory<psram>> = dense<40>

// CHECK-LABEL: func.func @multipliers
// CHECK: luna.conv2d {{.*}} table(%{{.*}} : memref<2x16xi32, #luna.memory<psram>>)
// CHECK: luna.conv2d {{.*}} table(%{{.*}} : memref<2x4xi32, #luna.memory<psram>>)
func.func @multipliers(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x20xi8>) {
  %w = memref.get_global @w : memref<20x1x1x2xi8, #luna.memory<psram>>
  %t = memref.get_global @t : memref<2x20xi32, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<20x1x1x2xi8, #luna.memory<psram>>)
      table(%t : memref<2x20xi32, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x20xi8>) {requant = #luna.requant<mode = multiplier, per_channel = true>}
  return
}
