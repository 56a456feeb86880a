// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{only-loops=true}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{only-loops=true},luna-schedule{only-loops=true}))' | FileCheck %s

// Two buffers that change places: both are saved before either is overwritten.
// CHECK-LABEL: func.func @swap(
func.func @swap(%x: memref<4xi8>, %y: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = memref.alloc()
  // CHECK: %[[B:.*]] = memref.alloc()
  // CHECK: scf.for
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xi8>, memref<4xi8>) {
    // CHECK: %[[SAVEB:.*]] = memref.alloc()
    // CHECK: memref.copy %[[B]], %[[SAVEB]]
    // CHECK: %[[SAVEA:.*]] = memref.alloc()
    // CHECK: memref.copy %[[A]], %[[SAVEA]]
    // CHECK: memref.copy %[[SAVEB]], %[[A]]
    // CHECK: memref.copy %[[SAVEA]], %[[B]]
    // CHECK: scf.yield %[[A]], %[[B]]
    scf.yield %b, %a : memref<4xi8>, memref<4xi8>
  }
  memref.copy %r#0, %y : memref<4xi8> to memref<4xi8>
  return
}

// An allocation that only the loop needs carries the value itself.
// CHECK-LABEL: func.func @own_buffer(
func.func @own_buffer(%x: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[OWN:.*]] = memref.alloc()
  // CHECK-NEXT: memref.copy %{{.*}}, %[[OWN]]
  // CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[OWN]])
  %own = memref.alloc() : memref<4xi8>
  memref.copy %x, %own : memref<4xi8> to memref<4xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %own) -> (memref<4xi8>) {
    %new = memref.alloc() : memref<4xi8>
    linalg.map {arith.addi} ins(%a, %a : memref<4xi8>, memref<4xi8>) outs(%new : memref<4xi8>)
    scf.yield %new : memref<4xi8>
  }
  memref.copy %r, %x : memref<4xi8> to memref<4xi8>
  return
}

// An allocation that is read after the loop keeps its value.
// CHECK-LABEL: func.func @needed_later(
func.func @needed_later(%x: memref<4xi8>, %y: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[OWN:.*]] = memref.alloc()
  // CHECK: %[[C:.*]] = memref.alloc()
  // CHECK: memref.copy %[[OWN]], %[[C]]
  %own = memref.alloc() : memref<4xi8>
  memref.copy %x, %own : memref<4xi8> to memref<4xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %own) -> (memref<4xi8>) {
    %new = memref.alloc() : memref<4xi8>
    linalg.map {arith.addi} ins(%a, %a : memref<4xi8>, memref<4xi8>) outs(%new : memref<4xi8>)
    scf.yield %new : memref<4xi8>
  }
  linalg.map {arith.addi} ins(%own, %r : memref<4xi8>, memref<4xi8>) outs(%y : memref<4xi8>)
  return
}

// Scalars are carried as they are.
// CHECK-LABEL: func.func @scalars(
// CHECK-NOT: memref.alloc
func.func @scalars(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
    %s = arith.addi %a, %a : i32
    scf.yield %s : i32
  }
  return %r : i32
}

// What the branch before the loop yields may be %a, and is read behind the loop:
// the loop gets a buffer of its own.
// CHECK-LABEL: func.func @yielded_before(
func.func @yielded_before(%c: i1, %x: memref<4xi8>, %y: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = memref.alloc()
  %a = memref.alloc() : memref<4xi8>
  memref.copy %x, %a : memref<4xi8> to memref<4xi8>
  %b = scf.if %c -> (memref<4xi8>) {
    scf.yield %a : memref<4xi8>
  } else {
    scf.yield %x : memref<4xi8>
  }
  // CHECK: %[[OWN:.*]] = memref.alloc()
  // CHECK-NEXT: memref.copy %[[A]], %[[OWN]]
  // CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[OWN]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> (memref<4xi8>) {
    %new = memref.alloc() : memref<4xi8>
    memref.copy %y, %new : memref<4xi8> to memref<4xi8>
    scf.yield %new : memref<4xi8>
  }
  memref.copy %b, %y : memref<4xi8> to memref<4xi8>
  return
}

// So for a view and a select.
// CHECK-LABEL: func.func @seen_before(
func.func @seen_before(%c: i1, %x: memref<4xi8>, %y: memref<2xi8>, %z: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi8>
  memref.copy %x, %a : memref<4xi8> to memref<4xi8>
  %b = memref.alloc() : memref<4xi8>
  memref.copy %x, %b : memref<4xi8> to memref<4xi8>
  %s = memref.subview %a[0] [2] [1] : memref<4xi8> to memref<2xi8, strided<[1]>>
  %t = arith.select %c, %b, %x : memref<4xi8>
  // CHECK: select
  // CHECK: %[[A:.*]] = memref.alloc()
  // CHECK: %[[B:.*]] = memref.alloc()
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a, %w = %b) -> (memref<4xi8>, memref<4xi8>) {
    %p = memref.alloc() : memref<4xi8>
    memref.copy %x, %p : memref<4xi8> to memref<4xi8>
    %q = memref.alloc() : memref<4xi8>
    memref.copy %x, %q : memref<4xi8> to memref<4xi8>
    scf.yield %p, %q : memref<4xi8>, memref<4xi8>
  }
  memref.copy %s, %y : memref<2xi8, strided<[1]>> to memref<2xi8>
  memref.copy %t, %z : memref<4xi8> to memref<4xi8>
  return
}

// The inner loop makes a new buffer of what it passes on beside a new value: so
// does each turn of the outer loop, which copies it to one of its own.
// CHECK-LABEL: func.func @nested(
func.func @nested(%n: index, %x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi8>
  memref.copy %x, %a : memref<4xi8> to memref<4xi8>
  // CHECK: memref.copy %{{.*}}, %[[A:.*]] :
  // CHECK: memref.copy %[[A]], %[[C:.*]] :
  // CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %[[C]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xi8> {
    // CHECK: scf.for
    %s:2 = scf.for %j = %c0 to %n step %c1 iter_args(%c = %b, %d = %a) -> (memref<4xi8>, memref<4xi8>) {
      %new = memref.alloc() : memref<4xi8>
      linalg.map {arith.addi} ins(%d, %d : memref<4xi8>, memref<4xi8>) outs(%new : memref<4xi8>)
      scf.yield %b, %new : memref<4xi8>, memref<4xi8>
    }
    // CHECK: }
    // CHECK: memref.copy %{{.*}}, %[[C]]
    // CHECK-NEXT: scf.yield %[[C]]
    scf.yield %s#0 : memref<4xi8>
  }
  memref.copy %r, %y : memref<4xi8> to memref<4xi8>
  return
}
