// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-accesses))' | FileCheck %s

// A constant that is wrong is checked like any other index.
// CHECK-LABEL: func.func @constant_past_the_end
// CHECK: cf.assert
func.func @constant_past_the_end(%x: memref<8xi8>) -> i8 {
  %i = arith.constant 8 : index
  %v = memref.load %x[%i] : memref<8xi8>
  return %v : i8
}

// CHECK-LABEL: func.func @constant_zero_divisor
// CHECK: cf.assert {{.*}}division by zero
func.func @constant_zero_divisor(%a: i32) -> i32 {
  %b = arith.constant 0 : i32
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}

// The divisor -1 cannot be zero, but the quotient may not fit.
// CHECK-LABEL: func.func @divisor_minus_one
// CHECK-NOT: division by zero
// CHECK: cf.assert {{.*}}quotient out of range
func.func @divisor_minus_one(%a: i32) -> i32 {
  %b = arith.constant -1 : i32
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}

// A slice of the whole memref has one offset.
// CHECK-LABEL: func.func @whole_slice
// CHECK: arith.cmpi ult, %{{.*}}, %c1 : index
// CHECK: cf.assert
func.func @whole_slice(%x: memref<8xi8>, %i: index, %y: memref<8xi8>) {
  %s = memref.subview %x[%i] [8] [1] : memref<8xi8> to memref<8xi8, strided<[1], offset: ?>>
  memref.copy %s, %y : memref<8xi8, strided<[1], offset: ?>> to memref<8xi8>
  return
}

// CHECK-LABEL: func.func @index_division
// CHECK: arith.cmpi ne, %{{.*}}, %c-9223372036854775808 : index
// CHECK: cf.assert {{.*}}quotient out of range
func.func @index_division(%a: index, %b: index) -> index {
  %0 = arith.floordivsi %a, %b : index
  return %0 : index
}
