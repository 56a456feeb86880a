// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

// The first value is read behind the chain: two more buffers take turns.
// CHECK-LABEL: @first
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: %[[Y:.*]] = memref.alloc()
// CHECK: %[[Z:.*]] = memref.alloc()
// CHECK: %[[R:.*]]:3 = scf.if
// CHECK: linalg.transpose ins(%[[X]] : {{.*}} outs(%[[Y]]
// CHECK: scf.yield %[[Y]], %[[Z]], %[[Y]]
// CHECK: scf.yield %[[X]], %[[Y]], %[[Z]]
// CHECK: %[[S:.*]]:3 = scf.if
// CHECK: linalg.transpose ins(%[[R]]#0 : {{.*}} outs(%[[R]]#1
// CHECK: scf.yield %[[R]]#1, %[[R]]#2, %[[R]]#1
// CHECK: scf.yield %[[R]]#0, %[[R]]#1, %[[R]]#2
// CHECK: scf.if
// CHECK: linalg.transpose ins(%[[S]]#0 : {{.*}} outs(%[[S]]#1
// CHECK-NOT: memref.alloc
// CHECK: linalg.transpose ins(%[[X]]
func.func @first(%f: i1, %g: i1, %h: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %r = scf.if %f -> memref<64x64xi8> {
    %yr = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%yr : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yr : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  %s = scf.if %g -> memref<64x64xi8> {
    %ys = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%ys : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %ys : memref<64x64xi8>
  } else {
    scf.yield %r : memref<64x64xi8>
  }
  %t = scf.if %h -> memref<64x64xi8> {
    %yt = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%s : memref<64x64xi8>) outs(%yt : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yt : memref<64x64xi8>
  } else {
    scf.yield %s : memref<64x64xi8>
  }
  linalg.transpose ins(%t : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%x : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// One in between: two buffers up to it, two more behind it.
// CHECK-LABEL: @between
// CHECK-COUNT-3: memref.alloc
// CHECK-NOT: memref.alloc
func.func @between(%f: i1, %g: i1, %h: i1, %k: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %r = scf.if %f -> memref<64x64xi8> {
    %yr = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%yr : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yr : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  %s = scf.if %g -> memref<64x64xi8> {
    %ys = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%ys : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %ys : memref<64x64xi8>
  } else {
    scf.yield %r : memref<64x64xi8>
  }
  %t = scf.if %h -> memref<64x64xi8> {
    %yt = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%s : memref<64x64xi8>) outs(%yt : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yt : memref<64x64xi8>
  } else {
    scf.yield %s : memref<64x64xi8>
  }
  %u = scf.if %k -> memref<64x64xi8> {
    %yu = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%t : memref<64x64xi8>) outs(%yu : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yu : memref<64x64xi8>
  } else {
    scf.yield %t : memref<64x64xi8>
  }
  linalg.transpose ins(%u : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%s : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// A copy of the value is changed: it is no name of the first value.
// CHECK-LABEL: @changed_copy
// CHECK: memref.copy
// CHECK: memref.store
func.func @changed_copy(%f: i1, %g: i1, %h: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %r = scf.if %f -> memref<64x64xi8> {
    %yr = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%yr : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yr : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  %s = scf.if %g -> memref<64x64xi8> {
    %ys = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%ys : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %ys : memref<64x64xi8>
  } else {
    scf.yield %r : memref<64x64xi8>
  }
  %t = scf.if %h -> memref<64x64xi8> {
    %yt = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%s : memref<64x64xi8>) outs(%yt : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yt : memref<64x64xi8>
  } else {
    scf.yield %s : memref<64x64xi8>
  }
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %o = memref.alloc() : memref<64x64xi8>
  memref.copy %t, %o : memref<64x64xi8> to memref<64x64xi8>
  memref.store %v, %o[%c0, %c0] : memref<64x64xi8>
  linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%x : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}
