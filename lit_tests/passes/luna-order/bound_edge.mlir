// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0}))' | FileCheck %s

// CHECK-LABEL: @nothing
// CHECK-SAME: luna.bound = {activation_bytes = 0 : i64, path = "straight", step = "none", tensor_bytes = 0 : i64, total_bytes = 0 : i64}
func.func @nothing() {
  return
}

// CHECK-LABEL: @declared(
// CHECK-NOT: luna.bound
func.func private @declared()

// 33, 17 and 1 bytes: 48 and 32 before the last, or 16 before the first.
// CHECK-LABEL: @alignment_rounds_up_all_but_one
// CHECK-SAME: total_bytes = 81 : i64
func.func @alignment_rounds_up_all_but_one(%in: memref<33xi8>, %other: memref<17xi8>, %out: memref<33xi8>) {
  %x = memref.alloc() : memref<33xi8>
  %y = memref.alloc() : memref<17xi8>
  memref.copy %in, %x : memref<33xi8> to memref<33xi8>
  memref.copy %other, %y : memref<17xi8> to memref<17xi8>
  %s = memref.alloc() : memref<i8>
  linalg.reduce ins(%y : memref<17xi8>) outs(%s : memref<i8>) dimensions = [0]
    (%a: i8, %b: i8) { linalg.yield %a : i8 }
  linalg.reduce ins(%x : memref<33xi8>) outs(%s : memref<i8>) dimensions = [0]
    (%a: i8, %b: i8) { linalg.yield %a : i8 }
  return
}

// What a slice at an unknown place writes counts nothing until it is whole.
// CHECK-LABEL: @rows_at_unknown_places
// CHECK-SAME: total_bytes = 0 : i64
func.func @rows_at_unknown_places(%in: memref<8xi8>, %out: memref<4x8xi8>, %i: index) {
  %x = memref.alloc() : memref<4x8xi8>
  %row = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<4x8xi8> to memref<8xi8, strided<[1], offset: ?>>
  memref.copy %in, %row : memref<8xi8> to memref<8xi8, strided<[1], offset: ?>>
  memref.copy %x, %out : memref<4x8xi8> to memref<4x8xi8>
  return
}

// Each turn decides anew; what a turn may leave for the next is there.
// CHECK-LABEL: @turns_decide_anew
// CHECK-SAME: total_bytes = 128 : i64
func.func @turns_decide_anew(%in: memref<64xi8>, %flags: memref<9xi1>, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %x = memref.alloc() : memref<64xi8>
  memref.copy %in, %x : memref<64xi8> to memref<64xi8>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%h = %x) -> (memref<64xi8>) {
    %f = memref.load %flags[%i] : memref<9xi1>
    %n = scf.if %f -> (memref<64xi8>) {
      %y = memref.alloc() : memref<64xi8>
      linalg.reduce ins(%h : memref<64xi8>) outs(%y : memref<64xi8>) dimensions = []
        (%a: i8, %b: i8) { linalg.yield %a : i8 }
      scf.yield %y : memref<64xi8>
    } else {
      scf.yield %h : memref<64xi8>
    }
    scf.yield %n : memref<64xi8>
  }
  memref.copy %r, %out : memref<64xi8> to memref<64xi8>
  return
}
