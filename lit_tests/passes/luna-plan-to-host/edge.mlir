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
