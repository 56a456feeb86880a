// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

// A block that may be skipped and an operator behind it: the loop carries two
// buffers, which all of them exchange, and so does what follows the loop.
// CHECK-LABEL: @then_operator
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: %[[FREE:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: %[[L:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
// CHECK:   %[[R:.*]]:2 = scf.if
// CHECK:     linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
// CHECK:     scf.yield %[[B]], %[[A]]
// CHECK:     scf.yield %[[A]], %[[B]]
// CHECK:   linalg.transpose ins(%[[R]]#0 {{.*}} outs(%[[R]]#1
// CHECK:   scf.yield %[[R]]#1, %[[R]]#0
// CHECK: linalg.transpose ins(%[[L]]#0
func.func @then_operator(%n: index, %f: memref<8xi1>, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8x8xi8>) {
    %c = memref.load %f[%i] : memref<8xi1>
    %s = scf.if %c -> (memref<8x8xi8>) {
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%a : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    } else {
      scf.yield %a : memref<8x8xi8>
    }
    %z = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%s : memref<8x8xi8>) outs(%z : memref<8x8xi8>) permutation = [1, 0]
    scf.yield %z : memref<8x8xi8>
  }
  linalg.transpose ins(%r : memref<8x8xi8>) outs(%out : memref<8x8xi8>) permutation = [1, 0]
  return
}

// -----

// Two such loops, one in a turn of the other, behind an operator; the value is
// read beside the result.
// CHECK-LABEL: @nested
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK-NOT: memref.copy
// CHECK: return
func.func @nested(%n: index, %f: memref<8xi1>, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%b = %x) -> (memref<8x8xi8>) {
    %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %b) -> (memref<8x8xi8>) {
      %c = memref.load %f[%i] : memref<8xi1>
      %s = scf.if %c -> (memref<8x8xi8>) {
        %y = memref.alloc() : memref<8x8xi8>
        linalg.transpose ins(%a : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
        scf.yield %y : memref<8x8xi8>
      } else {
        scf.yield %a : memref<8x8xi8>
      }
      %z = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%s : memref<8x8xi8>) outs(%z : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %z : memref<8x8xi8>
    }
    scf.yield %q : memref<8x8xi8>
  }
  linalg.transpose ins(%r : memref<8x8xi8>) outs(%out : memref<8x8xi8>) permutation = [1, 0]
  return
}

// -----

// The value of the last turn is read behind the operator: three buffers are
// needed, and two of them take turns.
// CHECK-LABEL: @read_later
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %{{.*}})
// CHECK:   %[[R:.*]] = scf.if
// CHECK:   linalg.transpose ins(%[[R]] {{.*}} outs(%[[B]]
// CHECK:   linalg.transpose ins(%[[A]]
// CHECK:   scf.yield %[[B]], %[[A]]
func.func @read_later(%n: index, %f: memref<8xi1>, %out: memref<8x8xi8>, %saved: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8x8xi8>) {
    %c = memref.load %f[%i] : memref<8xi1>
    %s = scf.if %c -> (memref<8x8xi8>) {
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%a : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    } else {
      scf.yield %a : memref<8x8xi8>
    }
    %z = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%s : memref<8x8xi8>) outs(%z : memref<8x8xi8>) permutation = [1, 0]
    linalg.transpose ins(%a : memref<8x8xi8>) outs(%saved : memref<8x8xi8>) permutation = [1, 0]
    scf.yield %z : memref<8x8xi8>
  }
  linalg.transpose ins(%r : memref<8x8xi8>) outs(%out : memref<8x8xi8>) permutation = [1, 0]
  return
}

// -----

// The chain begins before a loop and goes on behind it: two buffers for all.
// CHECK-LABEL: @through
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: %[[FREE:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: linalg.transpose ins(%[[R]]#0 {{.*}} outs(%[[R]]#1
// CHECK: %[[L:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[R]]#1, %[[B:.*]] = %[[R]]#0)
// CHECK:   linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
// CHECK: %[[S:.*]]:2 = scf.if
// CHECK:   linalg.transpose ins(%[[L]]#0 {{.*}} outs(%[[L]]#1
// CHECK: linalg.transpose ins(%[[S]]#0
func.func @through(%n: index, %f: i1, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%out : memref<8x8xi8>) outs(%x : memref<8x8xi8>) permutation = [1, 0]
  %p = scf.if %f -> (memref<8x8xi8>) {
    %y = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%x : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
    scf.yield %y : memref<8x8xi8>
  } else {
    scf.yield %x : memref<8x8xi8>
  }
  %z = memref.alloc() : memref<8x8xi8>
  linalg.transpose ins(%p : memref<8x8xi8>) outs(%z : memref<8x8xi8>) permutation = [1, 0]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (memref<8x8xi8>) {
    %s = scf.if %f -> (memref<8x8xi8>) {
      %y = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%a : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
      scf.yield %y : memref<8x8xi8>
    } else {
      scf.yield %a : memref<8x8xi8>
    }
    scf.yield %s : memref<8x8xi8>
  }
  %q = scf.if %f -> (memref<8x8xi8>) {
    %y = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%r : memref<8x8xi8>) outs(%y : memref<8x8xi8>) permutation = [1, 0]
    scf.yield %y : memref<8x8xi8>
  } else {
    scf.yield %r : memref<8x8xi8>
  }
  linalg.transpose ins(%q : memref<8x8xi8>) outs(%out : memref<8x8xi8>) permutation = [1, 0]
  return
}
