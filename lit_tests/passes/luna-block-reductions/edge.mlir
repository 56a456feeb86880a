// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-block-reductions))' | FileCheck %s

// Two outputs are fewer than four, but share an input.
// CHECK-LABEL: func.func @outputs_2(
// CHECK-COUNT-2: arith.muli
// CHECK: linalg.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK-NOT: linalg.
func.func @outputs_2(%a: memref<8xi32>, %b: memref<2x8xi32>, %out: memref<2xi32>) {
  linalg.matvec ins(%b, %a : memref<2x8xi32>, memref<8xi32>) outs(%out : memref<2xi32>)
  return
}

// Exactly four: nothing is left.
// CHECK-LABEL: func.func @outputs_4(
// CHECK-COUNT-4: arith.muli
// CHECK: linalg.yield {{.*}} : i32, i32, i32, i32
// CHECK-NOT: linalg.
func.func @outputs_4(%a: memref<8xi32>, %b: memref<4x8xi32>, %out: memref<4xi32>) {
  linalg.matvec ins(%b, %a : memref<4x8xi32>, memref<8xi32>) outs(%out : memref<4xi32>)
  return
}

// One too many: it is summed up alone.
// CHECK-LABEL: func.func @outputs_5(
// CHECK-COUNT-4: arith.muli
// CHECK: linalg.yield {{.*}} : i32, i32, i32, i32
// CHECK: linalg.generic
// CHECK-COUNT-1: arith.muli
// CHECK: linalg.yield %{{[^,]*}} : i32
// CHECK-NOT: linalg.
func.func @outputs_5(%a: memref<8xi32>, %b: memref<5x8xi32>, %out: memref<5xi32>) {
  linalg.matvec ins(%b, %a : memref<5x8xi32>, memref<8xi32>) outs(%out : memref<5xi32>)
  return
}

// Eight: two iterations of four.
// CHECK-LABEL: func.func @outputs_8(
// CHECK: memref.subview %{{.*}}[3] [2] [4]
// CHECK-COUNT-4: arith.muli
// CHECK: linalg.yield {{.*}} : i32, i32, i32, i32
// CHECK-NOT: linalg.
func.func @outputs_8(%a: memref<8xi32>, %b: memref<8x8xi32>, %out: memref<8xi32>) {
  linalg.matvec ins(%b, %a : memref<8x8xi32>, memref<8xi32>) outs(%out : memref<8xi32>)
  return
}
