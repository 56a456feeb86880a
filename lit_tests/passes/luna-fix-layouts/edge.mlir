// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fix-layouts),canonicalize)' | FileCheck %s

// What the inner branch merges is fixed before the outer one merges it.
// CHECK-LABEL: func.func @nested(
func.func @nested(%c: i1, %d: i1, %x: memref<4x16xi8>, %y: memref<4x8xi8>) {
  // CHECK-NOT: strided<[?
  // CHECK: scf.index_switch
  // CHECK-NOT: strided<[?
  %i = arith.index_castui %c : i1 to index
  %r = scf.index_switch %i -> memref<4x8xi8, strided<[?, ?], offset: ?>>
  case 0 {
    memref.copy %y, %y : memref<4x8xi8> to memref<4x8xi8>
    %s = scf.if %d -> (memref<4x8xi8, strided<[?, ?], offset: ?>>) {
      %a = memref.subview %x[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
      %p = memref.cast %a : memref<4x8xi8, strided<[16, 1]>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
      scf.yield %p : memref<4x8xi8, strided<[?, ?], offset: ?>>
    } else {
      %b = memref.subview %x[0, 8] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
      %q = memref.cast %b : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
      scf.yield %q : memref<4x8xi8, strided<[?, ?], offset: ?>>
    }
    scf.yield %s : memref<4x8xi8, strided<[?, ?], offset: ?>>
  }
  default {
    %b = memref.subview %x[0, 4] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 4>>
    %q = memref.cast %b : memref<4x8xi8, strided<[16, 1], offset: 4>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
    scf.yield %q : memref<4x8xi8, strided<[?, ?], offset: ?>>
  }
  // CHECK: return
  memref.copy %r, %y : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
  return
}

// An argument that the next iteration gets as it is needs no copy.
// CHECK-LABEL: func.func @unchanged_argument(
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
func.func @unchanged_argument(%x: memref<4x16xi8>, %y: memref<4x8xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.subview %x[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
  %p = memref.cast %a : memref<4x8xi8, strided<[16, 1]>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %p) -> (memref<4x8xi8, strided<[?, ?], offset: ?>>) {
    memref.copy %v, %y : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
    scf.yield %v : memref<4x8xi8, strided<[?, ?], offset: ?>>
  }
  memref.copy %r, %y : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
  return
}

// A descriptor has four strides: slices of five dimensions are copied, and those
// that lie together are not.
// CHECK-LABEL: func.func @five(
// CHECK-SAME: %[[X:.*]]: memref<1x2x6x2x1xi8>, %[[T:.*]]: memref<256xi8>, %[[Y:.*]]: memref<1x2x6x2x1xi8>)
func.func @five(%x: memref<1x2x6x2x1xi8>, %t: memref<256xi8>, %y: memref<1x2x6x2x1xi8>) {
  // CHECK: %[[A:.*]] = memref.subview %[[X]]
  // CHECK: %[[B:.*]] = memref.subview %[[Y]]
  %a = memref.subview %x[0, 0, 3, 0, 0] [1, 2, 3, 2, 1] [1, 1, 1, 1, 1] : memref<1x2x6x2x1xi8> to memref<1x2x3x2x1xi8, strided<[24, 12, 2, 1, 1], offset: 6>>
  %b = memref.subview %y[0, 0, 0, 0, 0] [1, 2, 3, 2, 1] [1, 1, 1, 1, 1] : memref<1x2x6x2x1xi8> to memref<1x2x3x2x1xi8, strided<[24, 12, 2, 1, 1]>>
  // CHECK: %[[P:.*]] = memref.alloc() : memref<1x2x3x2x1xi8>
  // CHECK: memref.copy %[[A]], %[[P]]
  // CHECK: %[[Q:.*]] = memref.alloc() : memref<1x2x3x2x1xi8>
  // CHECK-NEXT: luna.table ins(%[[P]], %[[T]] : {{.*}} outs(%[[Q]] :
  // CHECK-NEXT: memref.copy %[[Q]], %[[B]]
  luna.table ins(%a, %t : memref<1x2x3x2x1xi8, strided<[24, 12, 2, 1, 1], offset: 6>>, memref<256xi8>) outs(%b : memref<1x2x3x2x1xi8, strided<[24, 12, 2, 1, 1]>>)
  // CHECK-NEXT: luna.table ins(%[[X]], %[[T]] : {{.*}} outs(%[[Y]] :
  luna.table ins(%x, %t : memref<1x2x6x2x1xi8>, memref<256xi8>) outs(%y : memref<1x2x6x2x1xi8>)
  return
}
