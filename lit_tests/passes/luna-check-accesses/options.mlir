// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-accesses{inside-operators=false}))' | FileCheck %s

// The body of the operator is left alone; what stands between operators is not.
// CHECK-LABEL: func.func @f
// CHECK: cf.assert {{.*}}'arith.divsi': division by zero
// CHECK: linalg.map
// CHECK-NOT: cf.assert
// CHECK: return
func.func @f(%a: i8, %b: i8, %x: memref<4xi8>, %y: memref<4xi8>) {
  %0 = arith.divsi %a, %b : i8
  linalg.map ins(%x : memref<4xi8>) outs(%y : memref<4xi8>) (%v: i8, %init: i8) {
    %1 = arith.divui %0, %v : i8
    linalg.yield %1 : i8
  }
  return
}
