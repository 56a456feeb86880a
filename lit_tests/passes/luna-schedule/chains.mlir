// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

// A switch of three cases, two of which recompute; then a branch whose nested
// branch recomputes.
// CHECK-LABEL: @cases
func.func @cases(%i: index, %f: i1, %g: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:2 = scf.index_switch
  %r = scf.index_switch %i -> memref<64x64xi8>
  case 1 {
    // CHECK: ins(%[[X]] {{.*}} outs(%[[FREE]]
    // CHECK: scf.yield %[[FREE]], %[[X]]
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  }
  case 2 {
    // CHECK: %[[T:.*]] = memref.alloc()
    // CHECK: ins(%[[X]] {{.*}} outs(%[[T]]
    // CHECK: ins(%[[X]], %[[T]] {{.*}} outs(%[[FREE]]
    // CHECK: scf.yield %[[FREE]], %[[X]]
    %t = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%t : memref<64x64xi8>) permutation = [1, 0]
    %y = memref.alloc() : memref<64x64xi8>
    linalg.map { arith.addi } ins(%x, %t : memref<64x64xi8>, memref<64x64xi8>) outs(%y : memref<64x64xi8>)
    scf.yield %y : memref<64x64xi8>
  }
  default {
    // CHECK: scf.yield %[[X]], %[[FREE]]
    scf.yield %x : memref<64x64xi8>
  }
  // CHECK: %[[S:.*]]:2 = scf.if
  %s = scf.if %f -> memref<64x64xi8> {
    // CHECK: %[[N:.*]]:2 = scf.if
    %n = scf.if %g -> memref<64x64xi8> {
      // CHECK: ins(%[[R]]#0 {{.*}} outs(%[[R]]#1
      // CHECK: scf.yield %[[R]]#1, %[[R]]#0
      %y = memref.alloc() : memref<64x64xi8>
      linalg.transpose ins(%r : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
      scf.yield %y : memref<64x64xi8>
    } else {
      // CHECK: scf.yield %[[R]]#0, %[[R]]#1
      scf.yield %r : memref<64x64xi8>
    }
    // CHECK: scf.yield %[[N]]#0, %[[N]]#1
    scf.yield %n : memref<64x64xi8>
  } else {
    // CHECK: scf.yield %[[R]]#0, %[[R]]#1
    scf.yield %r : memref<64x64xi8>
  }
  // CHECK-NOT: memref.alloc
  // CHECK: ins(%[[S]]#0
  linalg.transpose ins(%s : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// Operators between branches, and behind them in each branch, also take the
// free buffer; both regions of a nested branch may recompute.
// CHECK-LABEL: @operators
func.func @operators(%f: i1, %g: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:2 = scf.if
  %r = scf.if %f -> memref<64x64xi8> {
    // CHECK: scf.if
    %n = scf.if %g -> memref<64x64xi8> {
      // CHECK: ins(%[[X]] {{.*}} outs(%[[FREE]]
      %y = memref.alloc() : memref<64x64xi8>
      linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
      scf.yield %y : memref<64x64xi8>
    } else {
      // CHECK: ins(%[[X]] {{.*}} outs(%[[FREE]]
      %y = memref.alloc() : memref<64x64xi8>
      linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
      scf.yield %y : memref<64x64xi8>
    }
    // CHECK: scf.yield %[[FREE]], %[[X]]
    scf.yield %n : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  // CHECK: ins(%[[R]]#0 {{.*}} outs(%[[R]]#1
  %t = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%r : memref<64x64xi8>) outs(%t : memref<64x64xi8>) permutation = [1, 0]
  // CHECK: scf.if
  scf.if %g {
    // CHECK-NOT: memref.alloc
    // CHECK: ins(%[[R]]#1 {{.*}} outs(%[[R]]#0
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%t : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    linalg.transpose ins(%y : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  } else {
    linalg.transpose ins(%t : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  }
  return
}

// -----

// Buffers of one turn.
// CHECK-LABEL: @loop
func.func @loop(%f: i1, %n: index, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: %[[X:.*]] = memref.alloc()
    %x = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
    // CHECK: %[[FREE:.*]] = memref.alloc()
    // CHECK: %[[R:.*]]:2 = scf.if
    %r = scf.if %f -> memref<64x64xi8> {
      %y = memref.alloc() : memref<64x64xi8>
      linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
      scf.yield %y : memref<64x64xi8>
    } else {
      scf.yield %x : memref<64x64xi8>
    }
    // CHECK: %[[S:.*]]:2 = scf.if
    %s = scf.if %f -> memref<64x64xi8> {
      // CHECK: ins(%[[R]]#0 {{.*}} outs(%[[R]]#1
      %y = memref.alloc() : memref<64x64xi8>
      linalg.transpose ins(%r : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
      scf.yield %y : memref<64x64xi8>
    } else {
      scf.yield %r : memref<64x64xi8>
    }
    linalg.transpose ins(%s : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  }
  return
}

// -----

// Operators of a region exchange the buffers until one writes what it yields; a
// buffer that is read behind the branch keeps its own.
// CHECK-LABEL: @steps
func.func @steps(%i: index, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  // CHECK: %[[OTHER:.*]] = memref.alloc()
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:3 = scf.index_switch
  %r:2 = scf.index_switch %i -> memref<64x64xi8>, memref<64x64xi8>
  case 1 {
    // CHECK: ins(%[[X]] {{.*}} outs(%[[FREE]]
    %t = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%t : memref<64x64xi8>) permutation = [1, 0]
    // CHECK: ins(%[[FREE]] {{.*}} outs(%[[X]]
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%t : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    // CHECK: ins(%[[X]] {{.*}} outs(%[[OTHER]]
    %o = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%y : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
    // CHECK: scf.yield %[[X]], %[[OTHER]], %[[FREE]]
    scf.yield %y, %o : memref<64x64xi8>, memref<64x64xi8>
  }
  case 2 {
    // CHECK: ins(%[[X]] {{.*}} outs(%[[OTHER]]
    %t = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%t : memref<64x64xi8>) permutation = [1, 0]
    // CHECK: ins(%[[X]] {{.*}} outs(%[[FREE]]
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    // CHECK: scf.yield %[[FREE]], %[[OTHER]], %[[X]]
    scf.yield %y, %t : memref<64x64xi8>, memref<64x64xi8>
  }
  default {
    %o = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %x, %o : memref<64x64xi8>, memref<64x64xi8>
  }
  linalg.transpose ins(%r#0 : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%r#1 : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}
