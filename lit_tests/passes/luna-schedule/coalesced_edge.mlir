// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// Two carried values that swap, as bufferisation has it: of the four copies that
// take their turns in two buffers, one goes, and the others exchange pointers.
// CHECK-LABEL: func.func @swap(
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: %[[B:.*]] = memref.alloc()
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %[[A]], %[[Q:.*]] = %[[B]], %[[R:.*]] = %{{.*}})
// CHECK-NEXT: scf.yield %[[Q]], %[[P]], %[[R]]
func.func @swap(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %p : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %q = memref.alloc() : memref<4x4xi8>
  memref.copy %y, %q : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (memref<4x4xi8>, memref<4x4xi8>) {
    %c = memref.alloc() : memref<4x4xi8>
    memref.copy %b, %c : memref<4x4xi8> to memref<4x4xi8>
    %d = memref.alloc() : memref<4x4xi8>
    memref.copy %a, %d : memref<4x4xi8> to memref<4x4xi8>
    scf.yield %c, %d : memref<4x4xi8>, memref<4x4xi8>
  }
  memref.copy %r#0, %x : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  memref.copy %r#1, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// Two values that each iteration makes from both: the first new one is made
// while the second old one is live, and takes a buffer of its own, in turns.
// CHECK-LABEL: func.func @both_from_both(
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: %[[B:.*]] = memref.alloc()
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %[[A]], %[[Q:.*]] = %[[B]], %[[NEW:.*]] = %{{.*}})
// CHECK: linalg.transpose ins(%[[B]] {{.*}} outs(%[[NEW]] :
// CHECK: linalg.transpose ins(%[[P]] {{.*}} outs(%[[B]] :
// CHECK-NEXT: scf.yield %[[NEW]], %[[B]], %[[P]]
func.func @both_from_both(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %p : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %q = memref.alloc() : memref<4x4xi8>
  memref.copy %y, %q : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (memref<4x4xi8>, memref<4x4xi8>) {
    %c = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%b : memref<4x4xi8>) outs(%c : memref<4x4xi8>) permutation = [1, 0]
    %d = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%a : memref<4x4xi8>) outs(%d : memref<4x4xi8>) permutation = [1, 0]
    scf.yield %c, %d : memref<4x4xi8>, memref<4x4xi8>
  }
  memref.copy %r#0, %x : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  memref.copy %r#1, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// An init that is read behind the loop, which may make no turn, stays.
// CHECK-LABEL: func.func @zero_trips(
// CHECK: %[[INIT:.*]] = memref.alloc()
// CHECK: %[[C:.*]] = memref.alloc()
// CHECK: memref.copy %[[INIT]], %[[C]]
// CHECK: scf.for
func.func @zero_trips(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %init : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (memref<4x4xi8>) {
    %new = memref.alloc() : memref<4x4xi8>
    memref.copy %y, %new : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
    scf.yield %new : memref<4x4xi8>
  }
  memref.copy %init, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  memref.copy %r, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// The target of a transfer in flight is the engine's until the wait.
// CHECK-LABEL: func.func @in_flight(
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: luna.dma_start %[[A]]
// CHECK: %[[B:.*]] = memref.alloc()
// CHECK: memref.copy %[[A]], %[[B]]
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK: luna.dma_wait
func.func @in_flight(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %t = luna.dma_start %a to %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  %b = memref.alloc() : memref<4x4xi8>
  memref.copy %a, %b : memref<4x4xi8> to memref<4x4xi8>
  memref.store %v, %b[%c0, %c0] : memref<4x4xi8>
  luna.dma_wait %t
  memref.copy %b, %x : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}
