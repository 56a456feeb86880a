// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights)' | FileCheck %s

// Weight (4 bytes), bias (8) and table (16) stand in one blob, each part at a
// multiple of 16 bytes; the globals they came from are gone.

// CHECK-NOT: @w :
// CHECK-NOT: @b :
// CHECK: memref.global "private" constant @params0 : memref<48xi8, #luna.memory<psram>> = dense<[1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0]>
memref.global "private" constant @w : memref<2x2xi8, #luna.memory<psram>> = dense<[[1, 2], [3, 4]]>
memref.global "private" constant @b : memref<2xi32, #luna.memory<psram>> = dense<[5, -1]>
memref.global "private" constant @t : memref<2x2xi32, #luna.memory<psram>> = dense<7>

// CHECK-LABEL: func.func @main
func.func @main(%x: memref<1x4x4x2xi8, #luna.memory<shared>>, %y: memref<1x4x4x2xi8, #luna.memory<shared>>) {
  %w = memref.get_global @w : memref<2x2xi8, #luna.memory<psram>>
  %w4 = memref.expand_shape %w [[0, 1, 2], [3]] output_shape [2, 1, 1, 2] : memref<2x2xi8, #luna.memory<psram>> into memref<2x1x1x2xi8, #luna.memory<psram>>
  %b = memref.get_global @b : memref<2xi32, #luna.memory<psram>>
  %t = memref.get_global @t : memref<2x2xi32, #luna.memory<psram>>
  // CHECK: %[[P:.*]] = memref.get_global @params0 : memref<48xi8, #luna.memory<psram>>
  // CHECK: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: %[[W:.*]] = memref.view %[[P]][%[[C0]]][] : memref<48xi8, #luna.memory<psram>> to memref<2x1x1x2xi8, #luna.memory<psram>>
  // CHECK: %[[C16:.*]] = arith.constant 16 : index
  // CHECK: %[[B:.*]] = memref.view %[[P]][%[[C16]]][] : memref<48xi8, #luna.memory<psram>> to memref<2xi32, #luna.memory<psram>>
  // CHECK: %[[C32:.*]] = arith.constant 32 : index
  // CHECK: %[[T:.*]] = memref.view %[[P]][%[[C32]]][] : memref<48xi8, #luna.memory<psram>> to memref<2x2xi32, #luna.memory<psram>>
  // CHECK: luna.conv2d ins(%{{.*}}, %[[W]] :
  // CHECK-SAME: bias(%[[B]] :
  // CHECK-SAME: table(%[[T]] :
  // CHECK-SAME: params = @params0
  luna.conv2d ins(%x, %w4 : memref<1x4x4x2xi8, #luna.memory<shared>>, memref<2x1x1x2xi8, #luna.memory<psram>>)
      bias(%b : memref<2xi32, #luna.memory<psram>>) table(%t : memref<2x2xi32, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x2xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = multiplier, per_channel = true>}
  return
}
