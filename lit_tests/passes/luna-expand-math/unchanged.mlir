// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-expand-math))' | FileCheck %s

// What upstream lowers, and types that no row is for.
// CHECK-LABEL: func.func @others
// CHECK: math.exp
// CHECK: math.ctlz
// CHECK: math.absi %{{.*}} : index
// CHECK: math.ctpop %{{.*}} : i24
// CHECK: math.isnan %{{.*}} : f16
// CHECK: math.absi %{{.*}} : vector<4xi8>
func.func @others(%f: f32, %i: i32, %n: index, %odd: i24, %h: f16, %v: vector<4xi8>) -> (f32, i32, index, i24, i1, vector<4xi8>) {
  %0 = math.exp %f : f32
  %1 = math.ctlz %i : i32
  %2 = math.absi %n : index
  %3 = math.ctpop %odd : i24
  %4 = math.isnan %h : f16
  %5 = math.absi %v : vector<4xi8>
  return %0, %1, %2, %3, %4, %5 : f32, i32, index, i24, i1, vector<4xi8>
}
