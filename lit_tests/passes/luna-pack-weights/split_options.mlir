// The machine says how much is too much, and in which steps channels are cut.
// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed '/<weights_max_bytes/s/65536/44/; /<in_channel_align/s/8/4/' %luna_machines/venus.xml > %t/fine.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{machine=%t/fine.xml})' | FileCheck %s

memref.global "private" constant @w : memref<23x1x1x2xi8, #luna.memory<psram>> = dense<1>

// 46 bytes of weights: 22 channels fit, 20 are a multiple of 4.
// CHECK: luna.conv2d {{.*}} outs(%{{.*}} : memref<1x4x4x20xi8
// CHECK: luna.conv2d {{.*}} outs(%{{.*}} : memref<1x4x4x3xi8
func.func @main(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x23xi8>) {
  %w = memref.get_global @w : memref<23x1x1x2xi8, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<23x1x1x2xi8, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x23xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}
