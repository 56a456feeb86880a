// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-pack-weights{max-bytes=32})' | FileCheck %s

// 32 bytes are not more than 32.
memref.global "private" constant @full_w : memref<16x1x1x2xi8, #luna.memory<psram>> = dense<1>
// CHECK-LABEL: func.func @full(
// CHECK-NOT: memref.subview
// CHECK: luna.conv2d {{.*}} outs(%{{.*}} : memref<1x4x4x16xi8>)
func.func @full(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x16xi8>) {
  %w = memref.get_global @full_w : memref<16x1x1x2xi8, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<16x1x1x2xi8, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x16xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// -----

// One channel more.
memref.global "private" constant @more_w : memref<17x1x1x2xi8, #luna.memory<psram>> = dense<1>
// CHECK-LABEL: func.func @more(
// CHECK: luna.conv2d {{.*}} outs(%{{.*}} : memref<1x4x4x16xi8
// CHECK: luna.conv2d {{.*}} outs(%{{.*}} : memref<1x4x4x1xi8
// CHECK-NOT: luna.conv2d
func.func @more(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x17xi8>) {
  %w = memref.get_global @more_w : memref<17x1x1x2xi8, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<17x1x1x2xi8, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x17xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// -----

// A channel alone is more: there is nothing to split.
memref.global "private" constant @wide_w : memref<1x1x1x40xi8, #luna.memory<psram>> = dense<1>
// CHECK-LABEL: func.func @wide(
// CHECK-NOT: memref.subview
// CHECK: luna.conv2d {{.*}} outs(%{{.*}} : memref<1x4x4x1xi8>)
// CHECK-NOT: luna.conv2d
func.func @wide(%x: memref<1x4x4x40xi8>, %y: memref<1x4x4x1xi8>) {
  %w = memref.get_global @wide_w : memref<1x1x1x40xi8, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x40xi8>, memref<1x1x1x40xi8, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x1xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}
