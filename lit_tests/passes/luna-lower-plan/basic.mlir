// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan))' | FileCheck %s

!buffer = memref<16xi8, #luna.memory<shared>>

// The arena is as large as the plan says.
// CHECK-LABEL: func.func @arena_bytes
// CHECK-SAME: memref<128xi8, #luna.memory<shared>>
func.func @arena_bytes() attributes {luna.arena_bytes = 128 : i64} {
  %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : !buffer
  // CHECK-NOT: dealloc
  memref.dealloc %0 : !buffer
  return
}

// Attributes of the other arguments stay with them.
// CHECK-LABEL: func.func @argument_attributes
// CHECK-SAME: %{{.*}}: memref<4xi8> {bufferize.result}, %{{.*}}: memref<0xi8, #luna.memory<shared>>)
func.func @argument_attributes(%out: memref<4xi8> {bufferize.result}) {
  return
}

// Allocations with one id are one entry, as large as the largest.
// CHECK-LABEL: func.func @one_buffer_two_allocs
// CHECK-SAME: luna.buffers = [{bytes = 16 : i64, id = 4 : i64,
// CHECK-SAME: offset = 32 : i64}]
func.func @one_buffer_two_allocs() attributes {luna.arena_bytes = 48} {
  %0 = memref.alloc() {luna.place = #luna.place<id = 4, offset = 32, kind = tensor>} : memref<2xi8, #luna.memory<shared>>
  %1 = memref.alloc() {luna.place = #luna.place<id = 4, offset = 32, kind = tensor>} : !buffer
  return
}

// A result whose sources lie at one place is a view made before the branch,
// also through regions.
// CHECK-LABEL: func.func @branch_result_at_one_place
func.func @branch_result_at_one_place(%c: i1, %use: !buffer) attributes {luna.arena_bytes = 64} {
  // CHECK: %[[VIEW:.*]] = luna.buffer 3 of %{{.*}} at 48
  // CHECK: scf.if
  %r = scf.if %c -> (!buffer) {
    %inner = luna.region 0 -> !buffer {
      %0 = memref.alloc() {luna.place = #luna.place<id = 3, offset = 48, kind = tensor>} : !buffer
      luna.yield %0 : !buffer
    }
    scf.yield %inner : !buffer
  } else {
    %1 = memref.alloc() {luna.place = #luna.place<id = 3, offset = 48, kind = tensor>} : !buffer
    scf.yield %1 : !buffer
  }
  // CHECK: memref.copy %[[VIEW]], %{{.*}}
  memref.copy %r, %use : !buffer to !buffer
  return
}

// Two places: the result stays.
// CHECK-LABEL: func.func @branch_result_at_two_places
func.func @branch_result_at_two_places(%c: i1, %use: !buffer) attributes {luna.arena_bytes = 32} {
  // CHECK: %[[RESULT:.*]] = scf.if
  %r = scf.if %c -> (!buffer) {
    %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : !buffer
    scf.yield %0 : !buffer
  } else {
    %1 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : !buffer
    scf.yield %1 : !buffer
  }
  // CHECK: memref.copy %[[RESULT]], %{{.*}}
  memref.copy %r, %use : !buffer to !buffer
  return
}

// CHECK-LABEL: func.func @loop_carries_one_place
func.func @loop_carries_one_place(%n: index, %use: !buffer) attributes {luna.arena_bytes = 16} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : !buffer
  // CHECK: luna.buffer 0
  // CHECK: %[[VIEW:.*]] = luna.buffer 0
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> (!buffer) {
    // CHECK: memref.copy %{{.*}}, %[[VIEW]]
    memref.copy %use, %x : !buffer to !buffer
    scf.yield %0 : !buffer
  }
  // CHECK: memref.copy %[[VIEW]], %{{.*}}
  memref.copy %r, %use : !buffer to !buffer
  return
}
