// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan,luna-to-linalg),luna-plan-to-host)' | FileCheck %s

memref.global "private" constant @w : memref<16xi8, #luna.memory<psram>> = dense<3>

func.func @main(%y: memref<16xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 16} {
  luna.region 0 {
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = staging>} : memref<16xi8, #luna.memory<shared>>
    %w = memref.get_global @w : memref<16xi8, #luna.memory<psram>>
    %t = luna.dma_start %w to %a : memref<16xi8, #luna.memory<psram>> to memref<16xi8, #luna.memory<shared>>
    luna.dma_wait %t
    memref.copy %a, %y : memref<16xi8, #luna.memory<shared>> to memref<16xi8, #luna.memory<psram>>
    luna.yield
  }
  return
}

// CHECK: memref.global "private" constant @w : memref<16xi8> = dense<3>
// CHECK: func.func @main(%[[Y:.*]]: memref<16xi8>, %[[ARENA:.*]]: memref<16xi8>) {
// CHECK:   %[[A:.*]] = memref.view %[[ARENA]]
// CHECK:   %[[FROM:.*]] = memref.extract_aligned_pointer_as_index
// CHECK:   %[[TO:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK:   %[[TOKEN:.*]] = call @luna_host_dma_start(%{{.*}}, %{{.*}}, %c16{{.*}}) : (index, index, index) -> index
// CHECK:   call @luna_host_dma_wait(%[[TOKEN]]) : (index) -> index
// CHECK:   memref.copy %[[A]], %[[Y]] : memref<16xi8> to memref<16xi8>
// CHECK-NOT: luna.
// CHECK: func.func private @luna_host_dma_start(index, index, index) -> index
// CHECK: func.func private @luna_host_dma_wait(index) -> index
