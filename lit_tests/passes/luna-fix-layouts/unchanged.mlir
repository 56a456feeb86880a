// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fix-layouts))' | FileCheck %s

// A value of static strides keeps its type, also at a dynamic offset.
// CHECK-LABEL: func.func @static_strides(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.cast
// CHECK: return
func.func @static_strides(%c: i1, %i: index, %x: memref<4x16xi8>, %y: memref<4x8xi8>) {
  %a = memref.subview %x[0, %i] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: ?>>
  %r = scf.if %c -> (memref<4x8xi8, strided<[16, 1], offset: ?>>) {
    scf.yield %a : memref<4x8xi8, strided<[16, 1], offset: ?>>
  } else {
    %b = memref.subview %x[0, %i] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: ?>>
    scf.yield %b : memref<4x8xi8, strided<[16, 1], offset: ?>>
  }
  memref.copy %r, %y : memref<4x8xi8, strided<[16, 1], offset: ?>> to memref<4x8xi8>
  return
}

// So do other values, and memrefs of dynamic shape, which are refused later.
// CHECK-LABEL: func.func @others(
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : memref<?xi8, strided<[?]>>
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
func.func @others(%c: i1, %x: memref<?xi8, strided<[?]>>, %y: memref<?xi8, strided<[?]>>, %a: i32, %b: i32) -> i32 {
  %r = arith.select %c, %x, %y : memref<?xi8, strided<[?]>>
  memref.copy %r, %x : memref<?xi8, strided<[?]>> to memref<?xi8, strided<[?]>>
  %s = arith.select %c, %a, %b : i32
  return %s : i32
}
