// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fix-layouts),canonicalize)' | FileCheck %s

// Two slices of equal strides: the value is one of them, at either offset.
func.func @main(%c: i1, %x: memref<4x16xi8>, %y: memref<4x8xi8>) {
  %a = memref.subview %x[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
  %b = memref.subview %x[0, 8] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
  %p = memref.cast %a : memref<4x8xi8, strided<[16, 1]>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
  %q = memref.cast %b : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
  %s = arith.select %c, %p, %q : memref<4x8xi8, strided<[?, ?], offset: ?>>
  memref.copy %s, %y : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
  return
}

// CHECK: %[[S:.*]] = arith.select {{.*}} : memref<4x8xi8, strided<[16, 1], offset: ?>>
// CHECK: memref.copy %[[S]], %{{.*}} : memref<4x8xi8, strided<[16, 1], offset: ?>> to memref<4x8xi8>
