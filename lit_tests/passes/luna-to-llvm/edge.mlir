// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-to-llvm)' | FileCheck %s

// Nothing to do, and an arena of no bytes: the interface is whole.
// CHECK-DAG: llvm.mlir.global external constant @luna_model_nothing_program
// CHECK-DAG: llvm.mlir.global external constant @luna_model_nothing_weights
// CHECK-LABEL: func.func @luna_model_nothing(
// CHECK-NEXT: return
// CHECK-LABEL: func.func @luna_model_nothing_init(
// CHECK-LABEL: func.func @luna_model_nothing_reset(
// CHECK-NOT: _bind
func.func @nothing(%arena: memref<0xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// A name that C cannot have, and a function that is only declared.
// CHECK-NOT: @unused
// CHECK-LABEL: func.func @luna_model_m4x4_v2(
// CHECK: func.func private @unused()
func.func @"4x4.v2"(%arena: memref<0xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}
func.func private @unused()

// -----

// The first and the last byte of the arena.
!arena = memref<32xi8, #luna.memory<shared>>
!byte = memref<1xi8, #luna.memory<shared>>
// CHECK-LABEL: func.func @luna_model_model(
// CHECK-SAME: %[[ARENA:[^:]*]]: !llvm.ptr
// CHECK: %[[LAST:.*]] = llvm.getelementptr %[[ARENA]][31]
// CHECK: llvm.call @luna_rt_copy(%{{.*}}, %{{.*}}, %[[ARENA]], %[[LAST]])
func.func @main(%arena: !arena) attributes {luna.buffers = [
    {bytes = 1 : i64, id = 0 : i64, kind = "tensor", name = "first", offset = 0 : i64},
    {bytes = 1 : i64, id = 1 : i64, kind = "tensor", name = "last", offset = 31 : i64}]} {
  %first = luna.buffer 0 of %arena at 0 : !arena to !byte
  %last = luna.buffer 1 of %arena at 31 : !arena to !byte
  memref.copy %first, %last : !byte to !byte
  return
}
