// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// A copy of what nobody reads or changes any more goes.
// CHECK-LABEL: func.func @dead_source(
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: memref.copy %{{.*}}, %[[A]]
// CHECK-NEXT: memref.store %{{.*}}, %[[A]]
// CHECK-NEXT: memref.copy %[[A]], %{{.*}}
func.func @dead_source(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %b = memref.alloc() : memref<4x4xi8>
  memref.copy %a, %b : memref<4x4xi8> to memref<4x4xi8>
  memref.store %v, %b[%c0, %c0] : memref<4x4xi8>
  memref.copy %b, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// Two that hold the same may both be read.
// CHECK-LABEL: func.func @same_contents(
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: memref.copy %{{.*}}, %[[A]]
// CHECK-NEXT: memref.copy %[[A]], %{{.*}}
// CHECK-NEXT: memref.copy %[[A]], %{{.*}}
func.func @same_contents(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %b = memref.alloc() : memref<4x4xi8>
  memref.copy %a, %b : memref<4x4xi8> to memref<4x4xi8>
  memref.copy %b, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  memref.copy %a, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// An elementwise operator writes over an operand that it reads last.
// CHECK-LABEL: func.func @in_place(
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: %[[B:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}} outs(%[[B]] :
// CHECK: memref.copy %[[B]], %{{.*}}
// CHECK: memref.copy %[[A]], %{{.*}}
func.func @in_place(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %b = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %b : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %c = memref.alloc() : memref<4x4xi8>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xi8>, memref<4x4xi8>) outs(%c : memref<4x4xi8>) {
  ^bb0(%p: i8, %q: i8, %o: i8):
    %s = arith.addi %p, %q : i8
    linalg.yield %s : i8
  }
  memref.copy %c, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  memref.copy %a, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// So does one of the unit, in either region of a while.
// CHECK-LABEL: func.func @while_loop(
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: scf.while (%{{.*}} = %[[A]])
// CHECK: luna.add ins(%[[A]], %[[A]] : {{.*}} outs(%[[A]] :
// CHECK: scf.condition(%{{.*}}) %[[A]]
// CHECK: luna.sub ins(%[[D:.*]], %[[D]] : {{.*}} outs(%[[A]] :
// CHECK-NEXT: scf.yield %[[A]]
func.func @while_loop(%x: memref<1x1x4x4xi8, #luna.memory<psram>>, %y: memref<1x1x4x4xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %init = memref.alloc() : memref<1x1x4x4xi8>
  memref.copy %x, %init : memref<1x1x4x4xi8, #luna.memory<psram>> to memref<1x1x4x4xi8>
  %r = scf.while (%a = %init) : (memref<1x1x4x4xi8>) -> memref<1x1x4x4xi8> {
    %b = memref.alloc() : memref<1x1x4x4xi8>
    luna.add ins(%a, %a : memref<1x1x4x4xi8>, memref<1x1x4x4xi8>) outs(%b : memref<1x1x4x4xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
    %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x1x4x4xi8>
    %go = arith.cmpi ne, %v, %zero : i8
    scf.condition(%go) %b : memref<1x1x4x4xi8>
  } do {
  ^bb0(%d: memref<1x1x4x4xi8>):
    %e = memref.alloc() : memref<1x1x4x4xi8>
    luna.sub ins(%d, %d : memref<1x1x4x4xi8>, memref<1x1x4x4xi8>) outs(%e : memref<1x1x4x4xi8>) {requant = #luna.requant<mode = shift, shift = 0>}
    scf.yield %e : memref<1x1x4x4xi8>
  }
  memref.copy %r, %y : memref<1x1x4x4xi8> to memref<1x1x4x4xi8, #luna.memory<psram>>
  return
}

// Buffers of one size and several shapes: one reads the other's by its own.
// CHECK-LABEL: func.func @reshaped(
// CHECK: %[[A:.*]] = memref.alloc() : memref<4x4xi8>
// CHECK-NOT: memref.alloc
// CHECK: %[[B:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [16], strides: [1] : memref<4x4xi8> to memref<16xi8>
// CHECK: memref.store %{{.*}}, %[[B]]
func.func @reshaped(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<16xi8, #luna.memory<psram>>, %v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %row = memref.collapse_shape %a [[0, 1]] : memref<4x4xi8> into memref<16xi8>
  %b = memref.alloc() : memref<16xi8>
  memref.copy %row, %b : memref<16xi8> to memref<16xi8>
  memref.store %v, %b[%c0] : memref<16xi8>
  memref.copy %b, %y : memref<16xi8> to memref<16xi8, #luna.memory<psram>>
  return
}

// Both branches write where the loop carries the value.
// CHECK-LABEL: func.func @branches_in_loop(
// CHECK: %[[C:.*]] = memref.alloc()
// CHECK: scf.for
// CHECK: linalg.transpose ins(%[[C]] {{.*}} outs(%[[T:.*]] :
// CHECK: scf.if
// CHECK: linalg.transpose ins(%[[T]] {{.*}} outs(%[[C]] :
// CHECK: else
// CHECK: memref.copy %{{.*}}, %[[C]] :
// CHECK-NOT: memref.copy
// CHECK: scf.yield %[[C]]
func.func @branches_in_loop(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %n: index, %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %init : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (memref<4x4xi8>) {
    %t = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%a : memref<4x4xi8>) outs(%t : memref<4x4xi8>) permutation = [1, 0]
    %new = memref.alloc() : memref<4x4xi8>
    scf.if %f {
      linalg.transpose ins(%t : memref<4x4xi8>) outs(%new : memref<4x4xi8>) permutation = [1, 0]
    } else {
      memref.copy %x, %new : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
    }
    scf.yield %new : memref<4x4xi8>
  }
  memref.copy %r, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// The same bytes by other strides: those of a dimension of one element count for
// nothing, but no cast leads from one type to the other.
// CHECK-LABEL: func.func @strides_of_one_element
// CHECK: %[[A:.*]] = memref.alloc() : memref<4x4x2x1xi8, strided<[8, 2, 1, 8]>>
// CHECK: %[[B:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [4, 4, 2, 1], strides: [8, 2, 1, 1]
// CHECK: linalg.transpose ins(%[[B]] : memref<4x4x2x1xi8>)
func.func @strides_of_one_element(%in: memref<4x4x2x1xi8>, %out: memref<4x4x2x1xi8>) {
  %a = memref.alloc() : memref<4x4x2x1xi8, strided<[8, 2, 1, 8]>>
  linalg.transpose ins(%in : memref<4x4x2x1xi8>) outs(%a : memref<4x4x2x1xi8, strided<[8, 2, 1, 8]>>) permutation = [1, 0, 2, 3]
  %b = memref.alloc() : memref<4x4x2x1xi8>
  memref.copy %a, %b : memref<4x4x2x1xi8, strided<[8, 2, 1, 8]>> to memref<4x4x2x1xi8>
  %c = memref.alloc() : memref<4x4x2x1xi8>
  linalg.transpose ins(%b : memref<4x4x2x1xi8>) outs(%c : memref<4x4x2x1xi8>) permutation = [1, 0, 2, 3]
  memref.copy %c, %out : memref<4x4x2x1xi8> to memref<4x4x2x1xi8>
  return
}
