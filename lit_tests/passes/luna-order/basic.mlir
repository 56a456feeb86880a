// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order))' | FileCheck %s

#s = #luna.memory<shared>
#p = #luna.memory<psram>

// Within a branch, too.
// CHECK-LABEL: @within_a_branch
// CHECK: scf.if
// CHECK: linalg.broadcast
// CHECK: linalg.reduce
// CHECK: linalg.broadcast
// CHECK: linalg.reduce
// CHECK: else
// CHECK: return
func.func @within_a_branch(%c: i1, %in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  scf.if %c {
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  %b = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  %m = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%m : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  %n = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%n : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %m, %out : memref<8xi8, #s> to memref<8xi8, #p>
  memref.copy %n, %other : memref<8xi8, #s> to memref<8xi8, #p>
  } else {
  memref.copy %x, %out : memref<8xi8, #s> to memref<8xi8, #p>
  memref.copy %x, %other : memref<8xi8, #s> to memref<8xi8, #p>
  }
  return
}

// What is live when a branch is entered counts: the wide value that the branch
// does not use is summed up first.
// CHECK-LABEL: @around_a_branch
// CHECK: linalg.broadcast
// CHECK: linalg.reduce
// CHECK: scf.if
func.func @around_a_branch(%c: i1, %in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  %n = memref.alloc() : memref<8xi8, #s>
  scf.if %c {
  %b = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%n : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  } else {
  memref.copy %x, %n : memref<8xi8, #s> to memref<8xi8, #s>
  }
  %m = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%m : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %m, %out : memref<8xi8, #s> to memref<8xi8, #p>
  memref.copy %n, %other : memref<8xi8, #s> to memref<8xi8, #p>
  return
}

// Views move with the operator that needs them, a constant stays.
// CHECK-LABEL: @views_move_along
// CHECK: arith.constant 0 : i8
// CHECK: memref.store
// CHECK: linalg.broadcast
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: linalg.reduce
// CHECK: %[[X:.*]] = memref.expand_shape
// CHECK-NEXT: %[[B:.*]] = memref.alloc() : memref<8x64xi8
// CHECK-NEXT: %[[W:.*]] = memref.expand_shape %[[B]]
// CHECK-NEXT: linalg.broadcast ins(%[[X]] {{.*}} outs(%[[W]]
func.func @views_move_along(%in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>) {
  %zero = arith.constant 0 : i8
  %first = arith.constant 0 : index
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  memref.store %zero, %x[%first] : memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  %b = memref.alloc() : memref<8x64xi8, #s>
  %view = memref.expand_shape %x [[0, 1]] output_shape [2, 4] : memref<8xi8, #s> into memref<2x4xi8, #s>
  %wide = memref.expand_shape %b [[0, 1], [2]] output_shape [2, 4, 64] : memref<8x64xi8, #s> into memref<2x4x64xi8, #s>
  linalg.broadcast ins(%view : memref<2x4xi8, #s>) outs(%wide : memref<2x4x64xi8, #s>) dimensions = [2]
  %m = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%m : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  %n = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%n : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %m, %out : memref<8xi8, #s> to memref<8xi8, #p>
  memref.copy %n, %other : memref<8xi8, #s> to memref<8xi8, #p>
  return
}
