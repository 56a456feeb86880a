// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-plan-memory))' | FileCheck %s

// A carried buffer and the one the body makes are alive together at the back
// edge: two places.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @carried(%x: memref<32xi8>, %y: memref<32xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: memref.alloc() {luna.place = #luna.place<id = 0, offset = [[C:[0-9]+]], kind = tensor, name = "tensor0">}
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<32xi8>) {
    // CHECK: memref.alloc() {luna.place = #luna.place<id = 1,
    // CHECK-NOT: offset = [[C]],
    %new = memref.alloc() : memref<32xi8>
    linalg.map {arith.addi} ins(%a, %a : memref<32xi8>, memref<32xi8>) outs(%new : memref<32xi8>)
    // CHECK: scf.yield
    scf.yield %new : memref<32xi8>
  }
  memref.copy %r, %y : memref<32xi8> to memref<32xi8>
  return
}

// What the loop only reads is live in the whole body.
// CHECK-LABEL: func.func @invariant
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @invariant(%x: memref<32xi8>, %y: memref<32xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.alloc() : memref<32xi8>
  memref.copy %x, %k : memref<32xi8> to memref<32xi8>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %k, %y : memref<32xi8> to memref<32xi8>
    %t = memref.alloc() : memref<32xi8>
    memref.copy %y, %t : memref<32xi8> to memref<32xi8>
    memref.copy %t, %y : memref<32xi8> to memref<32xi8>
  }
  return
}

// A buffer of the body that is first touched under an `if` does not live around
// the back edge: it shares with what the body used before.
// CHECK-LABEL: func.func @born_in_if
// CHECK-SAME: luna.arena_bytes = 32 : i64
func.func @born_in_if(%x: memref<32xi8>, %y: memref<32xi8>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloc() : memref<32xi8>
    memref.copy %x, %s : memref<32xi8> to memref<32xi8>
    memref.copy %s, %y : memref<32xi8> to memref<32xi8>
    %t = memref.alloc() : memref<32xi8>
    scf.if %c {
      memref.copy %x, %t : memref<32xi8> to memref<32xi8>
    } else {
      memref.copy %y, %t : memref<32xi8> to memref<32xi8>
    }
    memref.copy %t, %y : memref<32xi8> to memref<32xi8>
  }
  return
}
