// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan))' | FileCheck %s

// No buffer, no bytes: the arena is there, empty.
// CHECK-LABEL: func.func @none(
// CHECK-SAME: %{{.*}}: memref<0xi8, #luna.memory<shared>>)
// CHECK-NOT: {{luna.buffer [0-9]}}
// CHECK: return
func.func @none() attributes {luna.arena_bytes = 0} {
  return
}

// A buffer that fills the arena to its last byte, and one of one byte.
// CHECK-LABEL: func.func @full(
// CHECK-SAME: %[[ARENA:.*]]: memref<17xi8, #luna.memory<shared>>)
// CHECK-DAG: luna.buffer 0 of %[[ARENA]] at 0 {{.*}} to memref<16xi8
// CHECK-DAG: luna.buffer 7 of %[[ARENA]] at 16 {{.*}} to memref<1xi8
func.func @full() attributes {luna.arena_bytes = 17} {
  %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #luna.memory<shared>>
  %1 = memref.alloc() {luna.place = #luna.place<id = 7, offset = 16, kind = tensor>} : memref<1xi8, #luna.memory<shared>>
  return
}

// Two buffers at one place are two; the list is by id, not by order.
// CHECK-LABEL: func.func @order(
// CHECK-SAME: id = 1 : i64
// CHECK-SAME: id = 5 : i64
func.func @order() attributes {luna.arena_bytes = 16} {
  %0 = memref.alloc() {luna.place = #luna.place<id = 5, offset = 0, kind = tensor>} : memref<16xi8, #luna.memory<shared>>
  %1 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<16xi8, #luna.memory<shared>>
  return
}
