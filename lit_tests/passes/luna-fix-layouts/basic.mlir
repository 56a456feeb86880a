// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fix-layouts),canonicalize)' | FileCheck %s

// Of unequal strides, what is not contiguous is copied in its branch.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: memref<4x16xi8>, %[[Y:.*]]: memref<4x8xi8>,
func.func @branches(%c: i1, %x: memref<4x16xi8>, %y: memref<4x8xi8>, %z: memref<4x8xi8>) {
  // CHECK: %[[R:.*]] = scf.if %[[C]] -> (memref<4x8xi8>) {
  %r = scf.if %c -> (memref<4x8xi8, strided<[?, ?], offset: ?>>) {
    // CHECK: %[[A:.*]] = memref.subview %[[X]]
    // CHECK: %[[COPY:.*]] = memref.alloc() : memref<4x8xi8>
    // CHECK: memref.copy %[[A]], %[[COPY]]
    // CHECK: scf.yield %[[COPY]]
    %a = memref.subview %x[0, 8] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
    %p = memref.cast %a : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
    scf.yield %p : memref<4x8xi8, strided<[?, ?], offset: ?>>
  } else {
    // CHECK: scf.yield %[[Y]]
    %q = memref.cast %y : memref<4x8xi8> to memref<4x8xi8, strided<[?, ?], offset: ?>>
    scf.yield %q : memref<4x8xi8, strided<[?, ?], offset: ?>>
  }
  memref.copy %r, %z : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
  return
}

// Both branches yield the same slice of different buffers: the type stays
// static, offset and all.
// CHECK-LABEL: func.func @same_slice(
func.func @same_slice(%c: i1, %x: memref<4x16xi8>, %y: memref<4x16xi8>, %z: memref<4x8xi8>) {
  %a = memref.subview %x[0, 8] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
  %b = memref.subview %y[0, 8] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
  %p = memref.cast %a : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
  %q = memref.cast %b : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
  // CHECK-NOT: memref.alloc
  // CHECK: arith.select {{.*}} : memref<4x8xi8, strided<[16, 1], offset: 8>>
  %s = arith.select %c, %p, %q : memref<4x8xi8, strided<[?, ?], offset: ?>>
  memref.copy %s, %z : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
  return
}

// An operator of the unit takes the value without a cast.
// CHECK-LABEL: func.func @unit(
func.func @unit(%c: i1, %x: memref<1x4x4x16xi8>, %z: memref<1x4x4x8xi8>) {
  %a = memref.subview %x[0, 0, 0, 0] [1, 4, 4, 8] [1, 1, 1, 1] : memref<1x4x4x16xi8> to memref<1x4x4x8xi8, strided<[256, 64, 16, 1]>>
  %b = memref.subview %x[0, 0, 0, 8] [1, 4, 4, 8] [1, 1, 1, 1] : memref<1x4x4x16xi8> to memref<1x4x4x8xi8, strided<[256, 64, 16, 1], offset: 8>>
  %p = memref.cast %a : memref<1x4x4x8xi8, strided<[256, 64, 16, 1]>> to memref<1x4x4x8xi8, strided<[?, ?, ?, ?], offset: ?>>
  %q = memref.cast %b : memref<1x4x4x8xi8, strided<[256, 64, 16, 1], offset: 8>> to memref<1x4x4x8xi8, strided<[?, ?, ?, ?], offset: ?>>
  %s = arith.select %c, %p, %q : memref<1x4x4x8xi8, strided<[?, ?, ?, ?], offset: ?>>
  // CHECK: luna.max_pool2d ins(%{{.*}} : memref<1x4x4x8xi8, strided<[256, 64, 16, 1], offset: ?>>)
  luna.max_pool2d ins(%s : memref<1x4x4x8xi8, strided<[?, ?, ?, ?], offset: ?>>) outs(%z : memref<1x4x4x8xi8>) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
  return
}

// A loop carries contiguous memrefs: init and yielded slice are copied.
// CHECK-LABEL: func.func @for_loop(
// CHECK-SAME: %[[X:.*]]: memref<4x16xi8>, %[[Y:.*]]: memref<4x8xi8>, %[[N:.*]]: index
func.func @for_loop(%x: memref<4x16xi8>, %y: memref<4x8xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: memref.copy %{{.*}}, %[[INIT:.*]] : memref<4x8xi8, strided<[16, 1]>> to memref<4x8xi8>
  %a = memref.subview %x[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
  %p = memref.cast %a : memref<4x8xi8, strided<[16, 1]>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
  // CHECK: scf.for {{.*}} iter_args(%[[V:.*]] = %[[INIT]]) -> (memref<4x8xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %p) -> (memref<4x8xi8, strided<[?, ?], offset: ?>>) {
    // CHECK: memref.copy %[[V]], %[[Y]] : memref<4x8xi8> to memref<4x8xi8>
    memref.copy %v, %y : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
    // CHECK: memref.copy %{{.*}}, %[[NEXT:.*]] : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8>
    // CHECK: scf.yield %[[NEXT]]
    %b = memref.subview %x[0, 8] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
    %q = memref.cast %b : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
    scf.yield %q : memref<4x8xi8, strided<[?, ?], offset: ?>>
  }
  memref.copy %r, %y : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
  return
}

// What a while hands on to its body and behind it has the type of the one edge.
// CHECK-LABEL: func.func @while_loop(
func.func @while_loop(%c: i1, %x: memref<4x16xi8>, %y: memref<4x8xi8>) {
  // CHECK: scf.while : () -> memref<4x8xi8, strided<[16, 1], offset: 8>>
  %r = scf.while : () -> memref<4x8xi8, strided<[?, ?], offset: ?>> {
    %a = memref.subview %x[0, 8] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
    %p = memref.cast %a : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8, strided<[?, ?], offset: ?>>
    scf.condition(%c) %p : memref<4x8xi8, strided<[?, ?], offset: ?>>
  } do {
  ^bb0(%v: memref<4x8xi8, strided<[?, ?], offset: ?>>):
    // CHECK: memref.copy %{{.*}}, %{{.*}} : memref<4x8xi8, strided<[16, 1], offset: 8>> to memref<4x8xi8>
    memref.copy %v, %y : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
    scf.yield
  }
  memref.copy %r, %y : memref<4x8xi8, strided<[?, ?], offset: ?>> to memref<4x8xi8>
  return
}

// A reduction takes the value as it is.
// CHECK-LABEL: func.func @reduced(
func.func @reduced(%c: i1, %x: memref<6x4xf32>, %y: memref<6x4xf32>, %z: memref<4xf32>) {
  %r = scf.if %c -> (memref<4x4xf32, strided<[?, ?], offset: ?>>) {
    %a = memref.subview %x[2, 0] [4, 4] [1, 1] : memref<6x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 8>>
    %p = memref.cast %a : memref<4x4xf32, strided<[4, 1], offset: 8>> to memref<4x4xf32, strided<[?, ?], offset: ?>>
    scf.yield %p : memref<4x4xf32, strided<[?, ?], offset: ?>>
  } else {
    %b = memref.subview %y[0, 0] [4, 4] [1, 1] : memref<6x4xf32> to memref<4x4xf32, strided<[4, 1]>>
    %q = memref.cast %b : memref<4x4xf32, strided<[4, 1]>> to memref<4x4xf32, strided<[?, ?], offset: ?>>
    scf.yield %q : memref<4x4xf32, strided<[?, ?], offset: ?>>
  }
  // CHECK: linalg.reduce {{.*}}ins(%{{.*}} : memref<4x4xf32, strided<[4, 1], offset: ?>>)
  linalg.reduce { arith.addf } ins(%r : memref<4x4xf32, strided<[?, ?], offset: ?>>) outs(%z : memref<4xf32>) dimensions = [1]
  return
}
