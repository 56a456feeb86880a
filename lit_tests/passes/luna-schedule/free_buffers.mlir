// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

// What is computed behind a chain is written to its free buffer, while its value
// is still to be read.
// CHECK-LABEL: @operator
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: linalg.transpose ins(%[[R]]#0 : {{.*}} outs(%[[R]]#1
// CHECK: linalg.transpose ins(%[[R]]#1
// CHECK: linalg.transpose ins(%[[R]]#0
func.func @operator(%f: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %r = scf.if %f -> memref<64x64xi8> {
    %yr = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%yr : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yr : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  %o = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%r : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%r : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// In a branch behind it, too.
// CHECK-LABEL: @branch
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: %[[S:.*]] = scf.if
// CHECK: linalg.transpose ins(%[[R]]#0 : {{.*}} outs(%[[R]]#1
// CHECK: scf.yield %[[R]]#1
// CHECK: scf.yield %[[R]]#0
func.func @branch(%f: i1, %g: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
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
  linalg.transpose ins(%s : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%r : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// The free buffer would be that of the first value, which is read again.
// CHECK-LABEL: @first_is_read
// CHECK-COUNT-3: memref.alloc
func.func @first_is_read(%f: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %r = scf.if %f -> memref<64x64xi8> {
    %yr = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%yr : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yr : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  %o = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%r : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%r : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%x : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// A loop around both: each turn has buffers of its own.
// CHECK-LABEL: @turns
// CHECK: scf.for
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @turns(%f: i1, %n: index, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
    %r = scf.if %f -> memref<64x64xi8> {
      %yr = memref.alloc() : memref<64x64xi8>
      linalg.transpose ins(%x : memref<64x64xi8>) outs(%yr : memref<64x64xi8>) permutation = [1, 0]
      scf.yield %yr : memref<64x64xi8>
    } else {
      scf.yield %x : memref<64x64xi8>
    }
    %o = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
    linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  }
  return
}

// -----

// Pointers that were exchanged before: what nobody uses of them is free, unless
// it may be what is read.
// CHECK-LABEL: @exchanged
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
func.func @exchanged(%f: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %y = memref.alloc() : memref<64x64xi8>
  %r:2 = scf.if %f -> (memref<64x64xi8>, memref<64x64xi8>) {
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y, %x : memref<64x64xi8>, memref<64x64xi8>
  } else {
    scf.yield %x, %y : memref<64x64xi8>, memref<64x64xi8>
  }
  %o = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%r#0 : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%r#0 : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// CHECK-LABEL: @not_exchanged
// CHECK-COUNT-3: memref.alloc
func.func @not_exchanged(%f: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %y = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
  %r:2 = scf.if %f -> (memref<64x64xi8>, memref<64x64xi8>) {
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y, %y : memref<64x64xi8>, memref<64x64xi8>
  } else {
    scf.yield %x, %y : memref<64x64xi8>, memref<64x64xi8>
  }
  %o = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%r#0 : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%r#0 : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// In the next turn they are exchanged once more.
// CHECK-LABEL: @carried
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: %[[L:.*]]:2 = scf.for
// CHECK: linalg.transpose ins(%[[L]]#0 : {{.*}} outs(%[[L]]#1
func.func @carried(%n: index, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %y = memref.alloc() : memref<64x64xi8>
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<64x64xi8>, memref<64x64xi8>) {
    linalg.transpose ins(%a : memref<64x64xi8>) outs(%b : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %b, %a : memref<64x64xi8>, memref<64x64xi8>
  }
  %o = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%l#0 : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%l#0 : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// Nor while it is read behind the branch that it is free in.
// CHECK-LABEL: @read_behind
// CHECK-COUNT-3: memref.alloc
func.func @read_behind(%f: i1, %g: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %y = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
  scf.if %g {
    %r:2 = scf.if %f -> (memref<64x64xi8>, memref<64x64xi8>) {
      scf.yield %y, %x : memref<64x64xi8>, memref<64x64xi8>
    } else {
      scf.yield %x, %y : memref<64x64xi8>, memref<64x64xi8>
    }
    %o = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r#0 : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
    linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  }
  linalg.transpose ins(%x : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%y : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// Not in the turns of a loop behind it: which buffer they write is not known to
// luna-verify-plan.
// CHECK-LABEL: @written_in_turns
// CHECK-COUNT-3: memref.alloc
func.func @written_in_turns(%f: i1, %n: index, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %r = scf.if %f -> memref<64x64xi8> {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  scf.for %i = %c0 to %n step %c1 {
    %o = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%o : memref<64x64xi8>) permutation = [1, 0]
    linalg.transpose ins(%o : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  }
  linalg.transpose ins(%r : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}
