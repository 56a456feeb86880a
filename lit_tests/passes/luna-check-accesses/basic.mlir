// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-accesses))' | FileCheck %s

// CHECK-LABEL: func.func @store_in_two_dimensions
// CHECK: arith.cmpi ult, %{{.*}}, %c4 : index
// CHECK: cf.assert {{.*}}'memref.store': index out of bounds
// CHECK: arith.cmpi ult, %{{.*}}, %c2 : index
// CHECK: cf.assert {{.*}}'memref.store': index out of bounds
// CHECK: memref.store
func.func @store_in_two_dimensions(%x: memref<4x2xi8>, %i: index, %v: i8) {
  memref.store %v, %x[%i, %i] : memref<4x2xi8>
  return
}

// The last element of a slice of 2 with stride 3 lies 3 behind its offset.
// CHECK-LABEL: func.func @slice
// CHECK: arith.cmpi ult, %{{.*}}, %c5 : index
// CHECK: cf.assert {{.*}}'memref.subview': slice out of bounds
// CHECK: memref.subview
func.func @slice(%x: memref<8xi8>, %i: index, %y: memref<2xi8>) {
  %s = memref.subview %x[%i] [2] [3] : memref<8xi8> to memref<2xi8, strided<[3], offset: ?>>
  memref.copy %s, %y : memref<2xi8, strided<[3], offset: ?>> to memref<2xi8>
  return
}

// CHECK-LABEL: func.func @signed_division
// CHECK: cf.assert {{.*}}'arith.divsi': division by zero
// CHECK: arith.cmpi ne, %{{.*}}, %c-128_i8 : i8
// CHECK: arith.cmpi ne, %{{.*}}, %c-1_i8 : i8
// CHECK: arith.ori
// CHECK: cf.assert {{.*}}'arith.divsi': quotient out of range
// CHECK: arith.divsi
func.func @signed_division(%a: i8, %b: i8) -> i8 {
  %0 = arith.divsi %a, %b : i8
  return %0 : i8
}

// CHECK-LABEL: func.func @unsigned_division
// CHECK: cf.assert {{.*}}'arith.remui': division by zero
// CHECK-NOT: quotient
// CHECK: arith.remui
func.func @unsigned_division(%a: i8, %b: i8) -> i8 {
  %0 = arith.remui %a, %b : i8
  return %0 : i8
}

// The message names the operator of the model.
// CHECK-LABEL: func.func @inside_an_operator
// CHECK: linalg.generic
// CHECK: cf.assert {{.*}}operator 'pick.7': index out of bounds
// CHECK: memref.load
func.func @inside_an_operator(%x: memref<8xi8>, %i: memref<4xi32>, %y: memref<4xi8>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : memref<4xi32>) outs(%y : memref<4xi8>) {
  ^bb0(%n: i32, %out: i8):
    %at = arith.index_cast %n : i32 to index
    %v = memref.load %x[%at] : memref<8xi8>
    linalg.yield %v : i8
  } loc("pick.7")
  return
}
