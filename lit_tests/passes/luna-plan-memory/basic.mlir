// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory))' | FileCheck %s

// Branches share: what lives in one branch only takes no room in the other.
// Both branches make the result in one place. Labels are no steps.

// CHECK-LABEL: func.func @branches
// CHECK-SAME: luna.arena_bytes = 96 : i64
// CHECK-SAME: lower_bound_bytes = 96
// CHECK-SAME: optimal = true
// CHECK-SAME: path = "if0=then"
// CHECK-SAME: path = "if0=else"
// CHECK-SAME: steps = ["linalg.map#1", "linalg.map#5", "linalg.map#6", "linalg.map#8", "memref.copy#10"]
func.func @branches(%c: i1, %x: memref<32xi8>, %y: memref<32xi8>) {
  // CHECK: memref.alloc() {luna.place = #luna.place<id = 0, offset = [[A:[0-9]+]], kind = tensor, name = "tensor0">}
  %a = memref.alloc() : memref<32xi8>
  linalg.map {arith.addi} ins(%x, %x : memref<32xi8>, memref<32xi8>) outs(%a : memref<32xi8>)
  // CHECK: memref.alloc() {luna.place = #luna.place<id = 1, offset = {{[0-9]+}}, kind = tensor, name = "tensor1">}
  %u = memref.alloc() : memref<32xi8>
  // CHECK: scf.if
  scf.if %c {
    luna.label "if0"
    %t = memref.alloc() : memref<32xi8>
    linalg.map {arith.addi} ins(%a, %x : memref<32xi8>, memref<32xi8>) outs(%t : memref<32xi8>)
    linalg.map {arith.addi} ins(%t, %a : memref<32xi8>, memref<32xi8>) outs(%u : memref<32xi8>)
  } else {
    luna.label "if0"
    linalg.map {arith.subi} ins(%a, %x : memref<32xi8>, memref<32xi8>) outs(%u : memref<32xi8>)
  }
  memref.copy %u, %y : memref<32xi8> to memref<32xi8>
  return
}

// A linalg program without memory spaces, with views and a select.
// CHECK-LABEL: func.func @views
// CHECK-SAME: luna.arena_bytes = 128 : i64
func.func @views(%c: i1, %y: memref<4x8xi8>) {
  %k = arith.constant 1 : i8
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<32xi8>
  %d = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%a : memref<32xi8>)
  linalg.fill ins(%k : i8) outs(%b : memref<32xi8>)
  // Both stay live up to the use of the view of either.
  %s = arith.select %c, %a, %b : memref<32xi8>
  linalg.fill ins(%k : i8) outs(%d : memref<64xi8>)
  %v = memref.expand_shape %s [[0, 1]] output_shape [4, 8] : memref<32xi8> into memref<4x8xi8>
  memref.copy %v, %y : memref<4x8xi8> to memref<4x8xi8>
  return
}
