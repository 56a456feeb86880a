// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=venus}))' | FileCheck %s

memref.global "private" constant @params : memref<96xi8, #luna.memory<psram>> = dense<1>

// The launch needs its weights, 96 bytes, and no scratch: each product is
// small enough for the unit.
// CHECK: activation_bytes = 320 : i64
// CHECK-SAME: tensor_bytes = 320 : i64
// CHECK-SAME: total_bytes = 416 : i64
func.func @main(%in: memref<1x4x5x8xi8, #luna.memory<psram>>, %out: memref<1x4x5x8xi8, #luna.memory<psram>>) {
  %x = memref.alloc() {luna.kind = "input"} : memref<1x4x5x8xi8, #luna.memory<shared>>
  memref.copy %in, %x : memref<1x4x5x8xi8, #luna.memory<psram>> to memref<1x4x5x8xi8, #luna.memory<shared>>
  %y = memref.alloc() : memref<1x4x5x8xi8, #luna.memory<shared>>
  %params = memref.get_global @params : memref<96xi8, #luna.memory<psram>>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %w = memref.view %params[%c0][] : memref<96xi8, #luna.memory<psram>> to memref<8x1x1x8xi8, #luna.memory<psram>>
  %b = memref.view %params[%c64][] : memref<96xi8, #luna.memory<psram>> to memref<8xi32, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x5x8xi8, #luna.memory<shared>>, memref<8x1x1x8xi8, #luna.memory<psram>>) bias(%b : memref<8xi32, #luna.memory<psram>>) outs(%y : memref<1x4x5x8xi8, #luna.memory<shared>>) {params = @params, requant = #luna.requant<mode = shift, shift = 6>, tiling = array<i32: 4, 5, 8, 8, 1, 1, 0, 0, 0>}
  memref.copy %y, %out : memref<1x4x5x8xi8, #luna.memory<shared>> to memref<1x4x5x8xi8, #luna.memory<psram>>
  return
}
