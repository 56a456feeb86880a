// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{only-loops=true}))' | FileCheck %s
// What nobody wrote need not be copied: bufferisation leaves such allocations
// where a loop is handed a tensor that it overwrites unread.

// CHECK-LABEL: func.func @initial_contents_are_not_read(
// CHECK: %[[CARRIED:.*]] = memref.alloc()
// CHECK-NOT: memref.copy
// CHECK: scf.for
func.func @initial_contents_are_not_read(%o: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 7 : i8
  %undefined = memref.alloc() : memref<8xi8>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %undefined) -> memref<8xi8> {
    %a = memref.alloc() : memref<8xi8>
    linalg.fill ins(%v : i8) outs(%a : memref<8xi8>)
    scf.yield %a : memref<8xi8>
  }
  memref.copy %r, %o : memref<8xi8> to memref<8xi8>
  return
}

// Of a select, the side that has contents is left.
// CHECK-LABEL: func.func @one_side(
// CHECK-SAME: %{{.*}}: i1, %[[X:.*]]: memref<8xi8>, %[[O:.*]]: memref<8xi8>
// CHECK-NEXT: memref.copy %[[X]], %[[O]]
// CHECK-NEXT: return
func.func @one_side(%c: i1, %x: memref<8xi8>, %o: memref<8xi8>) {
  %undefined = memref.alloc() : memref<8xi8>
  %s = arith.select %c, %x, %undefined : memref<8xi8>
  memref.copy %s, %o : memref<8xi8> to memref<8xi8>
  return
}

// CHECK-LABEL: func.func @both_sides(
// CHECK-NEXT: return
func.func @both_sides(%c: i1, %o: memref<8xi8>) {
  %a = memref.alloc() : memref<8xi8>
  %b = memref.alloc() : memref<8xi8>
  %s = arith.select %c, %a, %b : memref<8xi8>
  memref.copy %s, %o : memref<8xi8> to memref<8xi8>
  return
}

// What is written, also through a select or a view, stays.
// CHECK-LABEL: func.func @written(
// CHECK: arith.select
// CHECK-COUNT-3: memref.copy
func.func @written(%c: i1, %x: memref<8xi8>, %o: memref<8xi8>, %p: memref<4xi8>) {
  %a = memref.alloc() : memref<8xi8>
  %s = arith.select %c, %x, %a : memref<8xi8>
  memref.copy %o, %s : memref<8xi8> to memref<8xi8>
  memref.copy %a, %o : memref<8xi8> to memref<8xi8>
  %b = memref.alloc() : memref<8xi8>
  %w = memref.subview %b[0] [4] [1] : memref<8xi8> to memref<4xi8, strided<[1]>>
  memref.copy %w, %p : memref<4xi8, strided<[1]>> to memref<4xi8>
  return
}
