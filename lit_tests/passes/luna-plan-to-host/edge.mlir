// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-plan-to-host)' | FileCheck %s

// An empty arena, and a transfer of nothing that is awaited: its number is 0.
// CHECK-LABEL: func.func @nothing(
// CHECK-SAME: %{{.*}}: memref<0xi8>)
// CHECK: %[[NONE:.*]] = arith.constant 0 : index
// CHECK: call @luna_host_dma_wait(%[[NONE]])
// CHECK-NOT: luna.
func.func @nothing(%arena: memref<0xi8, #luna.memory<shared>>) attributes {luna.arena_bytes = 0 : i64} {
  %none = luna.dma_none
  luna.dma_wait %none
  return
}

// Regions in regions dissolve, with their results.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[X:.*]]: memref<4xi8>, %[[Y:.*]]: memref<4xi8>
// CHECK-NOT: luna.region
// CHECK: memref.copy %[[X]], %[[Y]]
// CHECK-NEXT: return
func.func @nested(%x: memref<4xi8, #luna.memory<shared>>, %y: memref<4xi8, #luna.memory<shared>>) {
  %r = luna.region 0 -> memref<4xi8, #luna.memory<shared>> {
    luna.yield %x : memref<4xi8, #luna.memory<shared>>
  }
  luna.region 1 {
    memref.copy %r, %y : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<shared>>
    luna.yield
  }
  return
}

// A view of the arena has rows; planes are another layout of these bytes.
// CHECK-LABEL: func.func @planes(
// CHECK: %[[ROWS:.*]] = memref.view %{{.*}} : memref<24xi8> to memref<1x2x3x4xi8>
// CHECK: memref.reinterpret_cast %[[ROWS]] to offset: [0], sizes: [1, 2, 3, 4], strides: [24, 3, 1, 6] : memref<1x2x3x4xi8> to memref<1x2x3x4xi8, strided<[24, 3, 1, 6]>>
func.func @planes(%x: memref<1x2x3x4xi8, #luna.memory<psram>>, %arena: memref<24xi8, #luna.memory<shared>>) attributes {luna.arena_bytes = 24 : i64, luna.buffers = [{bytes = 24 : i64, id = 0 : i64, kind = "tensor", name = "a", offset = 0 : i64}]} {
  %a = luna.buffer 0 of %arena at 0 : memref<24xi8, #luna.memory<shared>> to memref<1x2x3x4xi8, strided<[24, 3, 1, 6]>, #luna.memory<shared>>
  memref.copy %x, %a : memref<1x2x3x4xi8, #luna.memory<psram>> to memref<1x2x3x4xi8, strided<[24, 3, 1, 6]>, #luna.memory<shared>>
  return
}
