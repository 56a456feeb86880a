// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule{only-loops=true}))' | FileCheck %s

// Loops that only pass on buffers from outside keep their pointers.
// CHECK-LABEL: @exchanged
func.func @exchanged(%n: index, %f: i1, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  // CHECK: %[[Y:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  %y = memref.alloc() : memref<8x8xi8>
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[Y]])
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<8x8xi8>, memref<8x8xi8>) {
    // CHECK-NEXT: linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
    linalg.transpose ins(%a : memref<8x8xi8>) outs(%b : memref<8x8xi8>) permutation = [1, 0]
    // CHECK: %[[S:.*]]:2 = scf.while (%[[C:.*]] = %[[B]], %[[D:.*]] = %[[A]])
    %s:2 = scf.while (%c = %b, %d = %a) : (memref<8x8xi8>, memref<8x8xi8>) -> (memref<8x8xi8>, memref<8x8xi8>) {
      // CHECK: scf.condition(%{{.*}}) %[[C]], %[[D]]
      scf.condition(%f) %c, %d : memref<8x8xi8>, memref<8x8xi8>
    } do {
    ^bb0(%c: memref<8x8xi8>, %d: memref<8x8xi8>):
      // CHECK: linalg.transpose
      // CHECK-NEXT: scf.yield
      linalg.transpose ins(%c : memref<8x8xi8>) outs(%d : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %d, %c : memref<8x8xi8>, memref<8x8xi8>
    }
    // CHECK: scf.yield %[[S]]#0, %[[S]]#1
    scf.yield %s#0, %s#1 : memref<8x8xi8>, memref<8x8xi8>
  }
  memref.copy %r#0, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// -----

// One of them may be an allocation of the turn.
// CHECK-LABEL: @allocated
func.func @allocated(%n: index, %f: i1, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  %y = memref.alloc() : memref<8x8xi8>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<8x8xi8>, memref<8x8xi8>) {
    %new = memref.alloc() : memref<8x8xi8>
    linalg.map { arith.addi } ins(%a, %b : memref<8x8xi8>, memref<8x8xi8>) outs(%new : memref<8x8xi8>)
    %s = scf.if %f -> (memref<8x8xi8>) {
      scf.yield %new : memref<8x8xi8>
    } else {
      scf.yield %b : memref<8x8xi8>
    }
    // CHECK-COUNT-4: memref.copy
    // CHECK-NEXT: scf.yield
    scf.yield %b, %s : memref<8x8xi8>, memref<8x8xi8>
  }
  memref.copy %r#0, %out : memref<8x8xi8> to memref<8x8xi8>
  memref.copy %r#1, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}
