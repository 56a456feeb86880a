// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm{model=m})' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm{model=m ids=false})' | FileCheck %s --check-prefix=NONE

// Calls that are equal but for their buffers share a descriptor. The ids of all
// calls are one array: operator; buffer and content of each operand.

!chip = memref<4xi8, #luna.memory<shared>>
!input = memref<4xi8, #luna.memory<psram>>
memref.global "private" constant @w : memref<256xi8, #luna.memory<psram>> = dense<1>

// CHECK-DAG: llvm.mlir.global internal constant @luna_model_m_desc0(dense<[4, 0, 0]> : tensor<3xi32>)
// CHECK-DAG: llvm.mlir.global internal constant @luna_model_m_desc1(dense<[256, 0, 0]> : tensor<3xi32>)
// CHECK-DAG: llvm.mlir.global internal constant @luna_model_m_desc2(
// CHECK-NOT: @luna_model_m_desc3
// CHECK: llvm.mlir.global internal constant @luna_model_m_ids(dense<[0, 0, -1, 4, -1, 1, 2, 0, 3, 0, 4, 0, -1, 2, 0, 1, -1, 5, 1, -1, 2, 0, 0, -1]> : tensor<24xi32>)
// CHECK-LABEL: func.func @luna_model_m(
// CHECK: %[[LOAD:.*]] = llvm.mlir.addressof @luna_model_m_desc0
// CHECK: %[[IDS:.*]] = llvm.mlir.addressof @luna_model_m_ids
// CHECK: luna_rt_dma_start(%[[LOAD]], %[[IDS]],
// CHECK: llvm.mlir.addressof @luna_model_m_ids
// CHECK: llvm.getelementptr %{{.*}}[20]
// CHECK: luna_rt_dma_wait
// CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @luna_model_m_desc2
// CHECK: %[[IDS:.*]] = llvm.mlir.addressof @luna_model_m_ids
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[IDS]][40]
// CHECK: luna_rt_table(%[[TABLE]], %[[FIRST]],
// CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @luna_model_m_desc2
// CHECK: %[[IDS:.*]] = llvm.mlir.addressof @luna_model_m_ids
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[IDS]][68]
// CHECK: luna_rt_table(%[[TABLE]], %[[SECOND]],

// NONE-NOT: luna_model_m_ids
// NONE: func.func @luna_model_m(
// NONE: %[[NULL:.*]] = llvm.mlir.zero
// NONE: luna_rt_dma_start(%{{.*}}, %[[NULL]],
// NONE: %[[NO_ID:.*]] = llvm.mlir.constant(-1 : i32)
// NONE: luna_rt_dma_wait(%[[NO_ID]],
func.func @main(%in: !input) attributes {luna.arena_bytes = 288} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : !chip
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : !chip
  %t = memref.alloc() {luna.place = #luna.place<id = 2, offset = 32, kind = staging>} : memref<256xi8, #luna.memory<shared>>
  %w = memref.get_global @w : memref<256xi8, #luna.memory<psram>>
  %0 = luna.dma_start %in to %a : !input to !chip
  %1 = luna.dma_start %w to %t : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<shared>>
  luna.dma_wait %0
  luna.dma_wait %1
  luna.table ins(%a, %t : !chip, memref<256xi8, #luna.memory<shared>>) outs(%b : !chip) {params = @w}
  luna.table ins(%b, %t : !chip, memref<256xi8, #luna.memory<shared>>) outs(%a : !chip) {params = @w}
  return
}
