// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-expand-math))' | FileCheck %s

// The C library has no absolute value of eight bits.

// CHECK-LABEL: func.func @absolute
// CHECK-NOT: math
// CHECK: %[[NEGATED:.*]] = arith.subi %{{.*}}, %[[X:.*]] : i8
// CHECK: arith.maxsi %[[X]], %[[NEGATED]] : i8
func.func @absolute(%x: i8) -> i8 {
  %y = math.absi %x : i8
  return %y : i8
}
