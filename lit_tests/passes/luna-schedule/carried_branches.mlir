// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

// The turn recomputes the value or passes it through: the region that recomputes
// it would copy it to the carried buffer, and exchanges the two.
// CHECK-LABEL: @skipped
func.func @skipped(%n: index, %f: memref<8xi1>, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8x8xi8>) {
    %c = memref.load %f[%i] : memref<8xi1>
    // CHECK: %[[S:.*]]:2 = scf.if
    %s = scf.if %c -> (memref<8x8xi8>) {
      // CHECK-NEXT: linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
      // CHECK-NEXT: scf.yield %[[B]], %[[A]]
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%a : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    } else {
      // CHECK: scf.yield %[[A]], %[[B]]
      scf.yield %a : memref<8x8xi8>
    }
    // CHECK: scf.yield %[[S]]#0, %[[S]]#1
    scf.yield %s : memref<8x8xi8>
  }
  // CHECK: memref.copy %[[R]]#0
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// -----

// So do several such branches in turn, one within another, and those of the
// second region of scf.while; operators between them read the pointer.
// CHECK-LABEL: @chain
func.func @chain(%f: i1, %g: i1, %out: memref<8x8xi8>) {
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  %r = scf.while (%a = %x) : (memref<8x8xi8>) -> (memref<8x8xi8>) {
    scf.condition(%f) %a : memref<8x8xi8>
  } do {
  // CHECK: ^bb0(%[[A:.*]]: memref<8x8xi8>, %[[B:.*]]: memref<8x8xi8>):
  ^bb0(%a: memref<8x8xi8>):
    // CHECK: %[[S:.*]]:2 = scf.if
    // CHECK-NEXT: linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
    // CHECK-NEXT: scf.yield %[[B]], %[[A]]
    %s = scf.if %f -> (memref<8x8xi8>) {
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%a : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    } else {
      scf.yield %a : memref<8x8xi8>
    }
    // CHECK: memref.copy %[[S]]#0
    memref.copy %s, %out : memref<8x8xi8> to memref<8x8xi8>
    // CHECK: %[[T:.*]]:2 = scf.if
    %t = scf.if %f -> (memref<8x8xi8>) {
      // CHECK-NEXT: %[[U:.*]]:2 = scf.if
      // CHECK-NEXT: linalg.transpose ins(%[[S]]#0 {{.*}} outs(%[[S]]#1
      // CHECK-NEXT: scf.yield %[[S]]#1, %[[S]]#0
      %u = scf.if %g -> (memref<8x8xi8>) {
        %y = memref.alloc() : memref<8x8xi8>
        linalg.transpose ins(%s : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
        scf.yield %y : memref<8x8xi8>
      } else {
        scf.yield %s : memref<8x8xi8>
      }
      // CHECK: scf.yield %[[U]]#0, %[[U]]#1
      scf.yield %u : memref<8x8xi8>
    } else {
      scf.yield %s : memref<8x8xi8>
    }
    // CHECK: scf.yield %[[T]]#0, %[[T]]#1
    scf.yield %t : memref<8x8xi8>
  }
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// -----

// The old value is read behind the branch: it stays until the turn ends, and
// the new one is copied to the free buffer.
// CHECK-LABEL: @read_behind
func.func @read_behind(%n: index, %f: i1, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8x8xi8>) {
    // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %{{.*}})
    // CHECK: %[[S:.*]] = scf.if
    %s = scf.if %f -> (memref<8x8xi8>) {
      // CHECK-NOT: memref.copy
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%a : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    } else {
      scf.yield %a : memref<8x8xi8>
    }
    // CHECK: memref.copy %[[A]], %{{.*}}
    // CHECK: memref.copy %[[S]], %[[B]]
    // CHECK: scf.yield %[[B]], %[[A]]
    memref.copy %a, %out : memref<8x8xi8> to memref<8x8xi8>
    scf.yield %s : memref<8x8xi8>
  }
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// -----

// It is the other carried value of the next turn.
// CHECK-LABEL: @carried_on
func.func @carried_on(%n: index, %f: i1, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  // CHECK: %[[Z:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  %z = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%z : memref<8x8xi8>) permutation = [1, 0]
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (memref<8x8xi8>, memref<8x8xi8>) {
    // CHECK: %[[S:.*]] = scf.if
    %s = scf.if %f -> (memref<8x8xi8>) {
      // CHECK-NOT: memref.copy
      %y = memref.alloc() : memref<8x8xi8>
      linalg.map { arith.addi } ins(%a, %b : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>)
      scf.yield %y : memref<8x8xi8>
    } else {
      scf.yield %a : memref<8x8xi8>
    }
    // CHECK: memref.copy %[[S]], %{{.*}}
    // CHECK: memref.copy %[[X]], %{{.*}}
    scf.yield %s, %a : memref<8x8xi8>, memref<8x8xi8>
  }
  memref.copy %r#0, %out : memref<8x8xi8> to memref<8x8xi8>
  memref.copy %r#1, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// -----

// A result that is used once more after the buffer was overwritten keeps its own.
// CHECK-LABEL: @used_later
func.func @used_later(%n: index, %f: i1, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: %[[S:.*]] = scf.if
    %s = scf.if %f -> (memref<8x8xi8>) {
      // CHECK-NOT: memref.copy
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%x : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    } else {
      scf.yield %x : memref<8x8xi8>
    }
    // CHECK: memref.copy %{{.*}}, %[[X]]
    // CHECK: memref.copy %[[S]],
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%s : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %s, %out : memref<8x8xi8> to memref<8x8xi8>
  }
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}
// -----

// What an operator computes for a branch to pass through takes turns, too.
// CHECK-LABEL: @operators
func.func @operators(%n: index, %f: memref<8xi1>, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8x8xi8>) {
    // CHECK-NOT: memref.alloc
    // CHECK: linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
    %p = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%a : memref<8x8xi8>) outs(%p : memref<8x8xi8>) permutation = [1, 0]
    %c = memref.load %f[%i] : memref<8xi1>
    // CHECK: %[[S:.*]]:2 = scf.if
    %s = scf.if %c -> (memref<8x8xi8>) {
      // CHECK: linalg.transpose ins(%[[B]] {{.*}} outs(%[[A]]
      // CHECK: scf.yield %[[A]], %[[B]]
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%p : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    } else {
      // CHECK: scf.yield %[[B]], %[[A]]
      scf.yield %p : memref<8x8xi8>
    }
    // CHECK: scf.yield %[[S]]#0, %[[S]]#1
    scf.yield %s : memref<8x8xi8>
  }
  // CHECK: memref.copy %[[R]]#0
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// -----

// A chain of branches behind an operator: all of the turn takes two buffers.
// CHECK-LABEL: @chain_behind
func.func @chain_behind(%n: index, %f: i1, %g: i1, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8x8xi8>) {
    // CHECK: linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
    %m = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%a : memref<8x8xi8>) outs(%m : memref<8x8xi8>) permutation = [1, 0]
    // CHECK: %[[S:.*]]:2 = scf.if
    %s = scf.if %f -> (memref<8x8xi8>) {
      // CHECK: scf.yield %[[B]], %[[A]]
      scf.yield %m : memref<8x8xi8>
    } else {
      // CHECK: linalg.transpose ins(%[[B]] {{.*}} outs(%[[A]]
      // CHECK: scf.yield %[[A]], %[[B]]
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%m : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    }
    // CHECK: %[[T:.*]]:2 = scf.if
    %t = scf.if %g -> (memref<8x8xi8>) {
      // CHECK: scf.yield %[[S]]#0, %[[S]]#1
      scf.yield %s : memref<8x8xi8>
    } else {
      // CHECK: linalg.transpose ins(%[[S]]#0 {{.*}} outs(%[[S]]#1
      // CHECK: scf.yield %[[S]]#1, %[[S]]#0
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%s : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    }
    // CHECK-NOT: memref.copy
    // CHECK: scf.yield %[[T]]#0, %[[T]]#1
    scf.yield %t : memref<8x8xi8>
  }
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}
