// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=192}))' | FileCheck %s

// The new value is read behind the copy.
// CHECK-LABEL: @read_later
func.func @read_later(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  scf.for %i = %c0 to %n step %c1 {
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%x : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    // CHECK: memref.copy %{{.*}}, %{{.*}} : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %new, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  }
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// It goes on to the next turn under a name of its own.
// CHECK-LABEL: @carried
func.func @carried(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  %y = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  memref.copy %in, %y : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (memref<8x8xi8>) {
    %new = memref.alloc() : memref<8x8xi8>
    linalg.map { arith.addi } ins(%x, %a : memref<8x8xi8>, memref<8x8xi8>) outs(%new : memref<8x8xi8>)
    // CHECK: memref.copy %{{.*}}, %{{.*}} : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
    scf.yield %new : memref<8x8xi8>
  }
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// A view from before the loop may be of either buffer within.
// CHECK-LABEL: @view_before
func.func @view_before(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  %view = memref.subview %x[0, 0] [8, 1] [1, 1] : memref<8x8xi8> to memref<8x1xi8, strided<[8, 1]>>
  scf.for %i = %c0 to %n step %c1 {
    %row = memref.collapse_shape %view [[0, 1]] : memref<8x1xi8, strided<[8, 1]>> into memref<8xi8, strided<[8]>>
    %new = memref.alloc() : memref<8x8xi8>
    linalg.broadcast ins(%row : memref<8xi8, strided<[8]>>) outs(%new : memref<8x8xi8>) dimensions = [0]
    // CHECK: memref.copy %{{.*}}, %{{.*}} : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
  }
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// A select may give the value another name.
// CHECK-LABEL: @selected
func.func @selected(%n: index, %f: i1, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  %y = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  memref.copy %in, %y : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  %s = arith.select %f, %x, %y : memref<8x8xi8>
  scf.for %i = %c0 to %n step %c1 {
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%s : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    // CHECK: memref.copy %{{.*}}, %{{.*}} : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
  }
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// The engine still reads the old value in the next turn.
// CHECK-LABEL: @in_flight
func.func @in_flight(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  scf.for %i = %c0 to %n step %c1 {
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%x : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    %token = luna.dma_start %new to %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
    // CHECK: memref.copy %{{.*}}, %{{.*}} : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
    luna.dma_wait %token
  }
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// A second buffer throughout does not fit: what the turn computes before it
// takes the free one's place.
// CHECK-LABEL: @too_large
func.func @too_large(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>, %all: memref<2x8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  scf.for %i = %c0 to %n step %c1 {
    %wide = memref.alloc() : memref<2x8x8xi8>
    linalg.broadcast ins(%x : memref<8x8xi8>) outs(%wide : memref<2x8x8xi8>) dimensions = [0]
    linalg.transpose ins(%wide : memref<2x8x8xi8>) outs(%all : memref<2x8x8xi8, #luna.memory<psram>>) permutation = [0, 2, 1]
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%x : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    // CHECK: memref.copy %{{.*}}, %{{.*}} : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
  }
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// A loop without iterations leaves what is read here: it is not dead.
// CHECK-LABEL: @left_by_no_iteration
func.func @left_by_no_iteration(%c: i1, %n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8x8xi8>
  %b = memref.alloc() : memref<8x8xi8>
  %d = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %a : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  memref.copy %in, %b : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  linalg.transpose ins(%a : memref<8x8xi8>) outs(%d : memref<8x8xi8>) permutation = [1, 0]
  // CHECK: scf.if
  // CHECK-NEXT: memref.copy %{{.*}}, %{{.*}} : memref<8x8xi8> to memref<8x8xi8>
  scf.if %c {
    memref.copy %a, %d : memref<8x8xi8> to memref<8x8xi8>
  }
  memref.copy %d, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  linalg.transpose ins(%b : memref<8x8xi8>) outs(%d : memref<8x8xi8>) permutation = [1, 0]
  memref.copy %d, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<8x8xi8>) {
    scf.yield %b : memref<8x8xi8>
  }
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}
