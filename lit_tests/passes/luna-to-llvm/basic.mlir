// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm)' | FileCheck %s

!chip = memref<4x4xi8, #luna.memory<shared>>
!part = memref<2x4xi8, strided<[4, 1]>, #luna.memory<shared>>

// Regions are inlined, views become constant offsets, a copy and a fill on chip
// are calls; @main is called model.
// CHECK-LABEL: func.func @luna_model_model(
// CHECK-SAME: %[[ARENA:[^:]*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
func.func @main() attributes {luna.arena_bytes = 32} {
  %c0_i8 = arith.constant 0 : i8
  %r = luna.region 0 -> !chip {
    %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : !chip
    // CHECK: llvm.call @luna_rt_fill(%{{.*}}, %{{.*}}, %[[ARENA]])
    linalg.fill ins(%c0_i8 : i8) outs(%0 : !chip)
    luna.yield %0 : !chip
  }
  %1 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : !chip
  // CHECK: %[[TO:.*]] = llvm.getelementptr %[[ARENA]][16]
  // CHECK: llvm.call @luna_rt_copy(%{{.*}}, %{{.*}}, %[[ARENA]], %[[TO]])
  memref.copy %r, %1 : !chip to !chip
  // CHECK: %[[HALF:.*]] = llvm.getelementptr %[[ARENA]][8]
  // CHECK: %[[TO:.*]] = llvm.getelementptr %[[ARENA]][16]
  // CHECK: llvm.call @luna_rt_copy(%{{.*}}, %{{.*}}, %[[HALF]], %[[TO]])
  %half = memref.subview %r[2, 0] [2, 4] [1, 1] : !chip to memref<2x4xi8, strided<[4, 1], offset: 8>, #luna.memory<shared>>
  %first = memref.subview %1[0, 0] [2, 4] [1, 1] : !chip to !part
  memref.copy %half, %first : memref<2x4xi8, strided<[4, 1], offset: 8>, #luna.memory<shared>> to !part
  // CHECK-NOT: luna_rt_copy
  // CHECK: return
  memref.copy %1, %1 : !chip to !chip
  return
}

// -----

// What the unit cannot do is a function of its own, announced with its cost
// (16 turns of one operation and two accesses) and its boxes.
#map = affine_map<(d0) -> (d0)>
// CHECK: llvm.mlir.global internal constant @luna_model_model_desc0(dense<[72, 0]>
// CHECK: llvm.mlir.global internal constant @luna_model_model_desc1(dense<[1, 1, 1, 16, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]>
// CHECK: llvm.mlir.global internal constant @luna_model_model_desc2(dense<[2, 1, 1, 16, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]>
// CHECK: func.func private @luna_model_model_host0(%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr)
// CHECK: llvm.insertvalue %[[X]]
// CHECK: builtin.unrealized_conversion_cast {{.*}} to memref<16xi8>
// CHECK: linalg.generic
// CHECK-LABEL: func.func @luna_model_model(
func.func @main() attributes {luna.arena_bytes = 32} {
  %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #luna.memory<shared>>
  %1 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<16xi8, #luna.memory<shared>>
  // CHECK: llvm.call @luna_rt_host_begin
  // CHECK: llvm.call @luna_rt_host_operand
  // CHECK: llvm.call @luna_rt_host_operand
  // CHECK: call @luna_model_model_host0
  // CHECK: llvm.call @luna_rt_host_end
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : memref<16xi8, #luna.memory<shared>>) outs(%1 : memref<16xi8, #luna.memory<shared>>) {
  ^bb0(%in: i8, %out: i8):
    %2 = arith.addi %in, %in : i8
    linalg.yield %2 : i8
  }
  return
}

// -----

// A condition is read by the host core, and the branch asks the runtime.
!chip = memref<4xi8, #luna.memory<shared>>
// CHECK-LABEL: func.func @luna_model_model(
// CHECK-SAME: %[[FLAG:[^:]*]]: !llvm.ptr
func.func @main(%flag: memref<1xi1, #luna.memory<psram>>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  // CHECK: luna_rt_host_begin
  // CHECK: luna_rt_host_operand(%{{.*}}, %[[FLAG]])
  // CHECK: %[[OWN:.*]] = llvm.load %[[FLAG]] : !llvm.ptr -> i1
  // CHECK: luna_rt_host_end
  // CHECK: %[[WIDE:.*]] = arith.extui %[[OWN]] : i1 to i32
  // CHECK: %[[TAKEN:.*]] = llvm.call @luna_rt_branch(%{{.*}}, %[[WIDE]])
  // CHECK: %[[BIT:.*]] = arith.trunci %[[TAKEN]] : i32 to i1
  // CHECK: %[[SELECTED:.*]] = llvm.select
  %c = memref.load %flag[%c0] : memref<1xi1, #luna.memory<psram>>
  %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : !chip
  %1 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : !chip
  // Was a result of the branch: follows its decision.
  %s = arith.select %c, %0, %1 : !chip
  %i7 = arith.constant 7 : i8
  linalg.fill ins(%i7 : i8) outs(%s : !chip)
  // A memref result is a pointer, a token a word.
  // CHECK: %[[R:.*]]:2 = scf.if %[[BIT]] -> (!llvm.ptr, i32)
  %r:2 = scf.if %c -> (!chip, !luna.token) {
    %t = luna.dma_start %0 to %1 : !chip to !chip
    scf.yield %0, %t : !chip, !luna.token
  } else {
    // CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i32)
    %t = luna.dma_none
    // CHECK: scf.yield %{{.*}}, %[[NONE]] : !llvm.ptr, i32
    scf.yield %1, %t : !chip, !luna.token
  }
  // CHECK: luna_rt_dma_wait(%{{.*}}, %[[R]]#1)
  luna.dma_wait %r#1
  // CHECK: luna_rt_fill(%{{.*}}, %{{.*}}, %[[R]]#0)
  linalg.fill ins(%i7 : i8) outs(%r#0 : !chip)
  // Behind the last branch on its condition, a select follows that one.
  // CHECK: llvm.select %[[BIT]]
  %l = arith.select %c, %1, %0 : !chip
  linalg.fill ins(%i7 : i8) outs(%l : !chip)
  return
}

// -----

// Loops say when they go around; a view that depends on the loop is computed.
!chip = memref<4x4xi8, #luna.memory<shared>>
// CHECK-LABEL: func.func @luna_model_model(
// CHECK-SAME: %[[ARENA:[^:]*]]: !llvm.ptr
func.func @main() attributes {luna.arena_bytes = 16} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i7 = arith.constant 7 : i8
  %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : !chip
  // CHECK: scf.for %[[I:.*]] =
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: llvm.call @luna_rt_loop_iteration
    // CHECK: %[[WIDE:.*]] = arith.index_cast %[[I]] : index to i64
    // CHECK: %[[BYTES:.*]] = llvm.mul %[[WIDE]]
    // CHECK: %[[ROW:.*]] = llvm.getelementptr %[[ARENA]][%[[BYTES]]]
    // CHECK: luna_rt_fill(%{{.*}}, %{{.*}}, %[[ROW]])
    %row = memref.subview %0[%i, 0] [1, 4] [1, 1] : !chip to memref<1x4xi8, strided<[4, 1], offset: ?>, #luna.memory<shared>>
    linalg.fill ins(%i7 : i8) outs(%row : memref<1x4xi8, strided<[4, 1], offset: ?>, #luna.memory<shared>>)
  }
  return
}
