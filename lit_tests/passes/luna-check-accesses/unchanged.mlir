// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-accesses))' | FileCheck %s

// Constants in bounds, a divisor that is neither 0 nor -1, elements without an
// index, numbers that are not integers.
// CHECK-LABEL: func.func @nothing_to_check
// CHECK-NOT: cf.assert
// CHECK: return
func.func @nothing_to_check(%x: memref<8xi8>, %s: memref<i8>, %a: i32, %f: f32, %y: memref<4xi8>) {
  %last = arith.constant 7 : index
  %three = arith.constant 3 : i32
  %v = memref.load %x[%last] : memref<8xi8>
  memref.store %v, %s[] : memref<i8>
  %0 = arith.divsi %a, %three : i32
  %1 = arith.divf %f, %f : f32
  %2 = memref.subview %x[4] [4] [1] : memref<8xi8> to memref<4xi8, strided<[1], offset: 4>>
  memref.copy %2, %y : memref<4xi8, strided<[1], offset: 4>> to memref<4xi8>
  return
}
