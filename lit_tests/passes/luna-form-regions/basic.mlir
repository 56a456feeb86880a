// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions))' | FileCheck %s

// Regions by the five rules: before the first branch, each branch, between
// two branches, inside a branch that branches again, after the last one.

// CHECK-LABEL: func.func @nested
func.func @nested(%c: i1, %a: memref<4xi8>, %b: memref<4xi8>) {
  // The constants stand first, outside of regions.
  // CHECK-NEXT: %[[K:.*]] = arith.constant 7 : i8
  // CHECK-NEXT: arith.constant 0 : index
  // CHECK-NEXT: arith.constant 1 : index
  // CHECK-NEXT: luna.region 0 {
  // CHECK-NEXT: linalg.fill ins(%[[K]] : i8)
  // CHECK-NEXT: luna.yield
  // CHECK-NEXT: }
  %k = arith.constant 7 : i8
  linalg.fill ins(%k : i8) outs(%a : memref<4xi8>)
  // CHECK-NEXT: scf.if
  scf.if %c {
    // CHECK-NEXT: luna.label "if0"
    // CHECK-NEXT: luna.region 1 {
    memref.copy %a, %b : memref<4xi8> to memref<4xi8>
    // CHECK: scf.if
    scf.if %c {
      // CHECK-NEXT: luna.label "if1"
      // CHECK-NEXT: luna.region 2 {
      memref.copy %b, %a : memref<4xi8> to memref<4xi8>
    // CHECK: }
    // CHECK: }
    }
    // CHECK-NEXT: luna.region 3 {
    memref.copy %a, %b : memref<4xi8> to memref<4xi8>
  // CHECK: } else {
  } else {
    // CHECK-NEXT: luna.label "if0"
    // CHECK-NEXT: luna.region 4 {
    memref.copy %b, %a : memref<4xi8> to memref<4xi8>
  // CHECK: }
  // CHECK: }
  }
  // CHECK-NEXT: luna.region 5 {
  memref.copy %a, %b : memref<4xi8> to memref<4xi8>
  // CHECK: scf.for
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // CHECK-NEXT: luna.label "loop0"
    // CHECK-NEXT: luna.region 6 {
    memref.copy %b, %a : memref<4xi8> to memref<4xi8>
  // CHECK: }
  // CHECK: }
  }
  // CHECK-NEXT: return
  return
}
