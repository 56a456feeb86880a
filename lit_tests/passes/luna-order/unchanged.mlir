// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order))' | FileCheck %s


// As they are: both wide values are made before one is summed up.
#s = #luna.memory<shared>
#p = #luna.memory<psram>

// One result is made of both.
// CHECK-LABEL: @both_are_needed
// CHECK: linalg.broadcast
// CHECK-NOT: linalg.reduce
// CHECK: linalg.broadcast
func.func @both_are_needed(%in: memref<8xi8, #p>, %out: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  %b = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  %d = memref.alloc() : memref<8x64xi8, #s>
  linalg.add ins(%a, %b : memref<8x64xi8, #s>, memref<8x64xi8, #s>) outs(%d : memref<8x64xi8, #s>)
  %m = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%d : memref<8x64xi8, #s>) outs(%m : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %m, %out : memref<8xi8, #s> to memref<8xi8, #p>
  return
}

// Both are made of the old contents of x, which the sums change in turn.
// CHECK-LABEL: @old_contents_are_read_first
// CHECK: linalg.broadcast
// CHECK-NOT: linalg.reduce
// CHECK: linalg.broadcast
func.func @old_contents_are_read_first(%in: memref<8xi8, #p>, %out: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  %b = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%x : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%x : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %x, %out : memref<8xi8, #s> to memref<8xi8, #p>
  return
}

// So may they be those of an argument, which the first sum overwrites.
// CHECK-LABEL: @old_contents_of_an_argument
// CHECK: linalg.broadcast
// CHECK-NOT: linalg.reduce
// CHECK: linalg.broadcast
func.func @old_contents_of_an_argument(%c: i1, %in: memref<8xi8, #s>, %out: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #s> to memref<8xi8, #s>
  %r = arith.select %c, %in, %x : memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  %b = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%r : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%in : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  %n = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%n : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %n, %out : memref<8xi8, #s> to memref<8xi8, #p>
  return
}

// The old value of a state variable is read before the new one is stored.
// CHECK-LABEL: @state_is_read_first
// CHECK: memref.copy %arg0
// CHECK: memref.copy %{{.*}}, %arg1
func.func @state_is_read_first(%old: memref<8xi8, #p> {luna.state = "h"}, %new: memref<8xi8, #p> {luna.state = "h"}, %in: memref<8xi8, #p>, %out: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  %h = memref.alloc() : memref<8xi8, #s>
  memref.copy %old, %h : memref<8xi8, #p> to memref<8xi8, #s>
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
  memref.copy %m, %new : memref<8xi8, #s> to memref<8xi8, #p>
  %k = memref.alloc() : memref<8xi8, #s>
  linalg.add ins(%h, %n : memref<8xi8, #s>, memref<8xi8, #s>) outs(%k : memref<8xi8, #s>)
  memref.copy %k, %out : memref<8xi8, #s> to memref<8xi8, #p>
  return
}

// Nothing is known of a call.
func.func private @effect()
// CHECK-LABEL: @calls_stay
// CHECK: linalg.broadcast
// CHECK-NOT: linalg.reduce
// CHECK: linalg.broadcast
func.func @calls_stay(%in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  func.call @effect() : () -> ()
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
  return
}

// Control flow keeps its order, by which it is numbered.
// CHECK-LABEL: @branches_keep_their_order
// CHECK: scf.if %arg0
// CHECK: scf.if %arg1
func.func @branches_keep_their_order(%c: i1, %d: i1, %in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  scf.if %c {
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  } else {
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  }
  %b = memref.alloc() : memref<8x64xi8, #s>
  scf.if %d {
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  } else {
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  }
  %n = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%n : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %n, %other : memref<8xi8, #s> to memref<8xi8, #p>
  %m = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%m : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %m, %out : memref<8xi8, #s> to memref<8xi8, #p>
  return
}

// A loop left by a condition is not passed.
// CHECK-LABEL: @nothing_passes_a_while
// CHECK: linalg.broadcast
// CHECK: scf.while
// CHECK: linalg.broadcast
// CHECK: linalg.reduce
func.func @nothing_passes_a_while(%c: i1, %in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  scf.while : () -> () {
  scf.condition(%c)
  } do {
  scf.yield
  }
  %b = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  %n = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%n : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  %m = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%m : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %m, %out : memref<8xi8, #s> to memref<8xi8, #p>
  memref.copy %n, %other : memref<8xi8, #s> to memref<8xi8, #p>
  return
}

// Nor is a branch with such a loop.
// CHECK-LABEL: @nothing_passes_a_branch_with_a_while
// CHECK: linalg.broadcast
// CHECK: scf.if
// CHECK: linalg.broadcast
// CHECK: linalg.reduce
func.func @nothing_passes_a_branch_with_a_while(%c: i1, %in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  scf.if %c {
  } else {
    scf.while : () -> () {
      scf.condition(%c)
    } do {
      scf.yield
    }
  }
  %b = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  %n = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%n : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  %m = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%m : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %m, %out : memref<8xi8, #s> to memref<8xi8, #p>
  memref.copy %n, %other : memref<8xi8, #s> to memref<8xi8, #p>
  return
}
