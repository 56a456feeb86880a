// Each row, computed: constants are folded to what upstream folds the operator
// itself to, or to the definition where it does not fold it.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-expand-math),canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @integers
// CHECK-DAG: %[[MIN:.*]] = arith.constant -128 : i8
// CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : i16
// CHECK-DAG: %[[ONES:.*]] = arith.constant 32 : i32
// CHECK-DAG: %[[BITS:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[NONE:.*]] = arith.constant 8 : i8
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant 63 : i64
// CHECK: return %[[MIN]], %[[FIVE]], %[[ONES]], %[[BITS]], %[[NONE]], %[[ZEROS]]
func.func @integers() -> (i8, i16, i32, i64, i8, i64) {
  %least = arith.constant -128 : i8
  %minus = arith.constant -5 : i16
  %all = arith.constant -1 : i32
  %three = arith.constant -9223372036854775805 : i64
  %zero = arith.constant 0 : i8
  %top = arith.constant -9223372036854775808 : i64
  %0 = math.absi %least : i8
  %1 = math.absi %minus : i16
  %2 = math.ctpop %all : i32
  %3 = math.ctpop %three : i64
  %4 = math.cttz %zero : i8
  %5 = math.cttz %top : i64
  return %0, %1, %2, %3, %4, %5 : i8, i16, i32, i64, i8, i64
}

// CHECK-LABEL: func.func @floats
// CHECK-DAG: %[[NEGATIVE:.*]] = arith.constant -2.500000e+00 : f32
// CHECK-DAG: %[[POSITIVE:.*]] = arith.constant 2.500000e+00 : f64
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK: return %[[NEGATIVE]], %[[POSITIVE]], %[[TRUE]], %[[FALSE]], %[[TRUE]], %[[FALSE]], %[[FALSE]], %[[TRUE]]
func.func @floats() -> (f32, f64, i1, i1, i1, i1, i1, i1) {
  %number = arith.constant 2.5 : f32
  %minus = arith.constant -0.0 : f32
  %negative = arith.constant -2.5 : f64
  %zero = arith.constant 0.0 : f64
  %nan = arith.constant 0x7FC00000 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %0 = math.copysign %number, %minus : f32
  %1 = math.copysign %negative, %zero : f64
  %2 = math.isnan %nan : f32
  %3 = math.isnan %infinity : f32
  %4 = math.isinf %infinity : f32
  %5 = math.isinf %nan : f32
  %6 = math.isfinite %nan : f32
  %7 = math.isfinite %number : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f64, i1, i1, i1, i1, i1, i1
}
