// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan))' | FileCheck %s

// CHECK-LABEL: func.func @two_buffers(
// CHECK-SAME: %[[ARENA:.*]]: memref<96xi8, #luna.memory<shared>>)
// CHECK-SAME: luna.buffers = [
// CHECK-SAME: {bytes = 64 : i64, id = 0 : i64, kind = "staging", name = "buffer0", offset = 0 : i64}
// CHECK-SAME: {bytes = 32 : i64, id = 1 : i64, kind = "tensor", name = "conv1", offset = 64 : i64}
func.func @two_buffers() attributes {luna.arena_bytes = 96} {
  // CHECK: luna.buffer 0 of %[[ARENA]] at 0
  // CHECK-SAME: to memref<64xi8, #luna.memory<shared>>
  %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = staging>} : memref<64xi8, #luna.memory<shared>>
  // CHECK: luna.buffer 1 of %[[ARENA]] at 64
  // CHECK-SAME: to memref<4x8xi8, #luna.memory<shared>>
  %1 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor, name = "conv1">} : memref<4x8xi8, #luna.memory<shared>>
  // CHECK-NOT: memref.alloc
  return
}
