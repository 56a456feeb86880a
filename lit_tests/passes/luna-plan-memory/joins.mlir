// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{only-loops=true},luna-form-regions,luna-order{steps=0},luna-plan-memory))' | FileCheck %s

// Both branches make the value in one place: it costs nothing.
// CHECK-LABEL: func.func @coalesced
// CHECK-SAME: joins = [{bytes = 0 : i64, choice = "coalesced", cycles = 0 : i64, name = "if0#0"}]
func.func @coalesced(%c: i1, %x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<32xi8>
  %r = scf.if %c -> memref<32xi8> {
    memref.copy %x, %a : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    scf.yield %a : memref<32xi8>
  } else {
    memref.copy %y, %a : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    scf.yield %a : memref<32xi8>
  }
  memref.copy %r, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// A branch yields an outer buffer: a pointer to one of two places, one of which
// is made by a copy. A scalar is none of it.
// CHECK-LABEL: func.func @pointer
// CHECK-SAME: joins = [{bytes = 32 : i64, choice = "pointer", cycles = {{[1-9][0-9]+}} : i64, name = "if0#1"}]
func.func @pointer(%c: i1, %v: i8, %x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>) {
  %o = memref.alloc() : memref<32xi8>
  memref.copy %x, %o : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
  %r:2 = scf.if %c -> (i8, memref<32xi8>) {
    %a = memref.alloc() : memref<32xi8>
    memref.copy %o, %a : memref<32xi8> to memref<32xi8>
    scf.yield %v, %a : i8, memref<32xi8>
  } else {
    scf.yield %v, %o : i8, memref<32xi8>
  }
  memref.copy %r#1, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// The init is copied to where the loop carries it, and so is the new value in
// each of ten iterations: two more places, for ten copies and one.
// CHECK-LABEL: func.func @copied
// CHECK-SAME: joins = [{bytes = 64 : i64, choice = "copied", cycles = [[C:[1-9][0-9]+]] : i64, name = "loop0#0"}]
func.func @copied(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %o = memref.alloc() : memref<32xi8>
  memref.copy %x, %o : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %o) -> (memref<32xi8>) {
    %new = memref.alloc() : memref<32xi8>
    linalg.map {arith.addi} ins(%a, %o : memref<32xi8>, memref<32xi8>) outs(%new : memref<32xi8>)
    scf.yield %new : memref<32xi8>
  }
  memref.copy %r, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// A switch in a while, which carries what its second region hands back.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: joins = [{bytes = 32 : i64, choice = "copied", cycles = {{[1-9][0-9]+}} : i64, name = "loop0#0"}, {bytes = 32 : i64, choice = "pointer", cycles = 0 : i64, name = "if0#0"}]
func.func @nested(%k: index, %x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %o = memref.alloc() : memref<32xi8>
  memref.copy %x, %o : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
  %r = scf.while (%a = %o) : (memref<32xi8>) -> memref<32xi8> {
    %v = memref.load %a[%c0] : memref<32xi8>
    %go = arith.cmpi ne, %v, %zero : i8
    scf.condition(%go) %a : memref<32xi8>
  } do {
  ^bb0(%b: memref<32xi8>):
    %s = scf.index_switch %k -> memref<32xi8>
    case 0 {
      %t = memref.alloc() : memref<32xi8>
      memref.copy %x, %t : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
      scf.yield %t : memref<32xi8>
    }
    default {
      scf.yield %b : memref<32xi8>
    }
    memref.copy %s, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    %new = memref.alloc() : memref<32xi8>
    memref.copy %x, %new : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    scf.yield %new : memref<32xi8>
  }
  return
}
