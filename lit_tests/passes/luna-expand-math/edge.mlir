// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-expand-math))' | FileCheck %s

// The narrowest and the widest integers: masks of their width, and no count of
// bytes to add up where there is one.
// CHECK-LABEL: func.func @narrow(
// CHECK-DAG: arith.constant 85 : i8
// CHECK-DAG: arith.constant 51 : i8
// CHECK-DAG: arith.constant 15 : i8
// CHECK-NOT: math
// CHECK: return
func.func @narrow(%x: i8) -> i8 {
  %y = math.ctpop %x : i8
  return %y : i8
}

// CHECK-LABEL: func.func @wide(
// CHECK-DAG: arith.constant 6148914691236517205 : i64
// CHECK-DAG: arith.constant 72340172838076673 : i64
// CHECK-DAG: arith.constant 56 : i64
// CHECK-NOT: math
// CHECK: return
func.func @wide(%x: i64) -> i64 {
  %y = math.cttz %x : i64
  return %y : i64
}

// The sign of 64 bits.
// CHECK-LABEL: func.func @sign(
// CHECK-DAG: arith.constant -9223372036854775808 : i64
// CHECK-DAG: arith.constant 9223372036854775807 : i64
// CHECK-NOT: math
// CHECK: return
func.func @sign(%x: f64, %y: f64) -> f64 {
  %z = math.copysign %x, %y : f64
  return %z : f64
}

// Other widths are upstream's.
// CHECK-LABEL: func.func @others(
// CHECK: math.absi {{.*}} : i4
// CHECK: math.ctpop {{.*}} : i128
// CHECK: math.isnan {{.*}} : f16
func.func @others(%x: i4, %y: i128, %z: f16) -> (i4, i128, i1) {
  %a = math.absi %x : i4
  %b = math.ctpop %y : i128
  %c = math.isnan %z : f16
  return %a, %b, %c : i4, i128, i1
}
