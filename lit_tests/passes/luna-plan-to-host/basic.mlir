// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-plan-to-host)' | FileCheck %s

// Tokens go through branches, loops and regions as numbers.
// CHECK-LABEL: func.func @tokens(
// CHECK-SAME: %[[C:.*]]: i1, %{{.*}}: memref<8xi8>, %{{.*}}: memref<8xi8>)
// CHECK: %[[T:.*]] = scf.if %[[C]] -> (index) {
// CHECK:   %[[STARTED:.*]] = func.call @luna_host_dma_start
// CHECK:   scf.yield %[[STARTED]] : index
// CHECK: } else {
// CHECK:   %[[NONE:.*]] = arith.constant 0 : index
// CHECK:   scf.yield %[[NONE]] : index
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[T]]) -> (index) {
// CHECK:   func.call @luna_host_dma_wait(%[[CARRIED]])
// CHECK-NOT: luna.
func.func @tokens(%c: i1, %x: memref<8xi8, #luna.memory<psram>>, %y: memref<8xi8, #luna.memory<shared>>) attributes {luna.arena_bytes = 8 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = scf.if %c -> !luna.token {
    luna.label "then"
    %r = luna.region 0 -> !luna.token {
      %s = luna.dma_start %x to %y : memref<8xi8, #luna.memory<psram>> to memref<8xi8, #luna.memory<shared>>
      luna.yield %s : !luna.token
    }
    scf.yield %r : !luna.token
  } else {
    %none = luna.dma_none
    scf.yield %none : !luna.token
  }
  %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%carried = %t) -> (!luna.token) {
    luna.dma_wait %carried
    %none = luna.dma_none
    scf.yield %none : !luna.token
  }
  luna.dma_wait %last
  return
}

// -----

// The address of a slice has its offset, in bytes.
// CHECK-LABEL: func.func @slice
// CHECK: %[[SLICE:.*]] = memref.subview {{.*}} : memref<4x8xi32> to memref<8xi32, strided<[1], offset: ?>>
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[SLICE]]
// CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[SLICE]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[OFFSET]], %c4
// CHECK: %[[FROM:.*]] = arith.addi %[[BASE]], %[[BYTES]]
// CHECK: call @luna_host_dma_start(%[[FROM]], %{{.*}}, %c32{{.*}})
func.func @slice(%i: index, %x: memref<4x8xi32, #luna.memory<psram>>, %y: memref<8xi32, #luna.memory<shared>>) {
  %s = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<4x8xi32, #luna.memory<psram>> to memref<8xi32, strided<[1], offset: ?>, #luna.memory<psram>>
  %t = luna.dma_start %s to %y : memref<8xi32, strided<[1], offset: ?>, #luna.memory<psram>> to memref<8xi32, #luna.memory<shared>>
  luna.dma_wait %t
  return
}

// -----

// The record of the program goes.
// CHECK-NOT: luna.program
// CHECK-LABEL: func.func @main
// CHECK-NOT: luna.program
func.func @main(%x: memref<4xi8, #luna.memory<psram>>) {
  return
}
luna.program @main.program {
  func.func @main(%x: memref<4xi8>) {
    return
  }
}
