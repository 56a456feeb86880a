// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm{model=tiny})' | FileCheck %s

memref.global "private" constant @params0 : memref<256xi8, #luna.memory<psram>> = dense<7>

// CHECK-DAG: llvm.mlir.global external constant @luna_model_tiny_weights(dense<7> : tensor<256xi8>)
// CHECK-DAG: llvm.mlir.global external constant @luna_model_tiny_program(
// CHECK-LABEL: func.func @luna_model_tiny(
// CHECK-SAME: %[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[PSRAM:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
func.func @main(%in: memref<16xi8, #luna.memory<psram>>, %out: memref<16xi8, #luna.memory<psram>> {bufferize.result}) attributes {luna.arena_bytes = 272} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #luna.memory<shared>>
  %w = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = staging>} : memref<256xi8, #luna.memory<shared>>
  // CHECK: %[[D:.*]] = llvm.mlir.addressof @luna_model_tiny_desc0
  // CHECK: %[[IDS:.*]] = llvm.mlir.addressof @luna_model_tiny_ids
  // CHECK: %[[T:.*]] = llvm.call @luna_rt_dma_start(%[[D]], %[[IDS]], %[[ARENA]], %[[IN]])
  %t0 = luna.dma_start %in to %x : memref<16xi8, #luna.memory<psram>> to memref<16xi8, #luna.memory<shared>>
  // CHECK: llvm.call @luna_rt_dma_wait(%{{.*}}, %[[T]])
  luna.dma_wait %t0
  %params = memref.get_global @params0 : memref<256xi8, #luna.memory<psram>>
  // CHECK: %[[W:.*]] = llvm.getelementptr %[[ARENA]][16]
  // CHECK: llvm.call @luna_rt_dma_start(%{{.*}}, %{{.*}}, %[[W]], %[[PSRAM]])
  %t1 = luna.dma_start %params to %w : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<shared>>
  luna.dma_wait %t1
  // CHECK: llvm.call @luna_rt_table(%{{.*}}, %{{.*}}, %[[ARENA]], %{{.*}}, %[[ARENA]])
  luna.table ins(%x, %w : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<shared>>) outs(%x : memref<16xi8, #luna.memory<shared>>) {params = @params0}
  // CHECK: llvm.call @luna_rt_dma_start(%{{.*}}, %{{.*}}, %[[OUT]], %[[ARENA]])
  %t2 = luna.dma_start %x to %out : memref<16xi8, #luna.memory<shared>> to memref<16xi8, #luna.memory<psram>>
  luna.dma_wait %t2
  return
}
// CHECK: func.func @luna_model_tiny_init(%[[TO:.*]]: !llvm.ptr,
// CHECK: %[[IMAGE:.*]] = llvm.mlir.addressof @luna_model_tiny_weights
// CHECK: "llvm.intr.memcpy"(%[[TO]], %[[IMAGE]],
// CHECK: func.func @luna_model_tiny_reset
