// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{max-bytes=32})' | FileCheck %s

memref.global "private" constant @w : memref<20x1x1x2xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @b : memref<20xi32, #luna.memory<psram>> = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]>

func.func @main(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x20xi8>) {
  %w = memref.get_global @w : memref<20x1x1x2xi8, #luna.memory<psram>>
  %b = memref.get_global @b : memref<20xi32, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<20x1x1x2xi8, #luna.memory<psram>>)
      bias(%b : memref<20xi32, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x20xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// 40 bytes of weights: 16 channels, then 4 with their biases.
// CHECK-DAG: @params1 : memref<32xi8, #luna.memory<psram>> = dense<[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 18, 0, 0, 0, 19, 0, 0, 0]>
// CHECK-DAG: @params0 : memref<96xi8, #luna.memory<psram>>
// CHECK-NOT: @slice
// CHECK: %[[OUT0:.*]] = memref.subview %{{.*}}[0, 0, 0, 0] [1, 4, 4, 16] [1, 1, 1, 1]
// CHECK: luna.conv2d {{.*}} outs(%[[OUT0]] : memref<1x4x4x16xi8, strided<[320, 80, 20, 1]>>) {params = @params0
// CHECK: %[[OUT1:.*]] = memref.subview %{{.*}}[0, 0, 0, 16] [1, 4, 4, 4] [1, 1, 1, 1]
// CHECK: luna.conv2d {{.*}} outs(%[[OUT1]] : memref<1x4x4x4xi8, strided<[320, 80, 20, 1], offset: 16>>) {params = @params1
