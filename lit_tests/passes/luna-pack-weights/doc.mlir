// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights)' | FileCheck %s

memref.global "private" constant @w : memref<1x1x1x2xi8, #luna.memory<psram>> = dense<[[[[1, 2]]]]>
memref.global "private" constant @b : memref<1xi32, #luna.memory<psram>> = dense<5>

func.func @main(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x1xi8>) {
  %w = memref.get_global @w : memref<1x1x1x2xi8, #luna.memory<psram>>
  %b = memref.get_global @b : memref<1xi32, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<1x1x1x2xi8, #luna.memory<psram>>)
      bias(%b : memref<1xi32, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x1xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// CHECK: memref.global "private" constant @params0 : memref<32xi8, #luna.memory<psram>>
// CHECK: %[[P:.*]] = memref.get_global @params0
// CHECK: %[[W:.*]] = memref.view %[[P]][%c0][]
// CHECK: %[[B:.*]] = memref.view %[[P]][%c16][]
// CHECK: luna.conv2d ins(%{{.*}}, %[[W]] {{.*}} bias(%[[B]]
// CHECK-SAME: params = @params0
