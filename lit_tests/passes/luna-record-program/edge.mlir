// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-record-program)' | FileCheck %s

// Nothing to record but the function itself.
// CHECK-LABEL: func.func @empty()
// CHECK: luna.program @empty.program {
// CHECK-NEXT: func.func @empty() {
// CHECK-NEXT: return
func.func @empty() {
  return
}

// -----

// A constant that no function reads is recorded, too; the record of another
// function's constants is its own.
memref.global "private" constant @unread : memref<2xi8> = dense<[1, 2]>
// CHECK-LABEL: func.func @one(
// CHECK: luna.program @one.program {
// CHECK-NEXT: memref.global "private" constant @unread : memref<2xi8> = dense<[1, 2]>
// CHECK: luna.program @two.program {
// CHECK-NEXT: memref.global "private" constant @unread : memref<2xi8> = dense<[1, 2]>
func.func @one(%x: memref<2xi8>) {
  return
}
func.func @two(%x: memref<2xi8>) {
  return
}

// -----

// Branches and loops are recorded as they are.
// CHECK-LABEL: func.func @nested(
// CHECK: luna.program @nested.program {
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: else
func.func @nested(%c: i1, %x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    scf.for %i = %c0 to %c1 step %c1 {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
  } else {
    memref.copy %y, %x : memref<4xi8> to memref<4xi8>
  }
  return
}
