// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

// A turn copies what it computed to the carried buffer: now it writes the free
// one. The value is read behind the loop.
// CHECK-LABEL: @for_loop
func.func @for_loop(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8x8xi8>) {
    // CHECK-NOT: memref.copy
    // CHECK: linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%x : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
    // CHECK-NEXT: scf.yield %[[B]], %[[A]]
    scf.yield %x : memref<8x8xi8>
  }
  // CHECK: memref.copy %[[R]]#0, %{{.*}} #luna.memory<psram>>
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// Both regions of scf.while: the first reads the value, the second replaces it.
// CHECK-LABEL: @while_loop
func.func @while_loop(%n: i8, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:2 = scf.while (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
  %r = scf.while (%a = %x) : (memref<8x8xi8>) -> (memref<8x8xi8>) {
    // CHECK: memref.load %[[A]]
    %v = memref.load %x[%c0, %c0] : memref<8x8xi8>
    %c = arith.cmpi slt, %v, %n : i8
    // CHECK: scf.condition(%{{.*}}) %[[A]], %[[B]]
    scf.condition(%c) %x : memref<8x8xi8>
  } do {
  // CHECK: ^bb0(%[[V:.*]]: memref<8x8xi8>, %[[W:.*]]: memref<8x8xi8>):
  ^bb0(%b: memref<8x8xi8>):
    // CHECK: linalg.transpose ins(%[[V]] {{.*}} outs(%[[W]]
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%b : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
    // CHECK-NEXT: scf.yield %[[W]], %[[V]]
    scf.yield %x : memref<8x8xi8>
  }
  // CHECK: memref.copy %[[R]]#0, %{{.*}} #luna.memory<psram>>
  memref.copy %r, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// In some turns: what a branch recomputes. A region without ops gets a yield.
// CHECK-LABEL: @branch
func.func @branch(%n: index, %f: memref<8xi1, #luna.memory<psram>>, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
  scf.for %i = %c0 to %n step %c1 {
    %c = memref.load %f[%i] : memref<8xi1, #luna.memory<psram>>
    // CHECK: %[[S:.*]]:2 = scf.if
    scf.if %c {
      // CHECK: linalg.transpose ins(%[[A]] {{.*}} outs(%[[B]]
      %new = memref.alloc() : memref<8x8xi8>
      linalg.transpose ins(%x : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
      memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
      // CHECK-NEXT: scf.yield %[[B]], %[[A]]
    }
    // CHECK-NEXT: } else {
    // CHECK-NEXT: scf.yield %[[A]], %[[B]]
    // CHECK: scf.yield %[[S]]#0, %[[S]]#1
  }
  // CHECK: memref.copy %[[R]]#0, %{{.*}} #luna.memory<psram>>
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// The last three values: each copy exchanges two buffers, together they turn
// three of them and a free one.
// CHECK-LABEL: @shifted
func.func @shifted(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  // CHECK: %[[Y:.*]] = memref.alloc()
  // CHECK: %[[Z:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  %y = memref.alloc() : memref<8x8xi8>
  %z = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  memref.copy %in, %y : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  memref.copy %in, %z : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:4 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[Y]], %[[B:.*]] = %[[X]], %[[C:.*]] = %[[Z]], %[[D:.*]] = %[[FREE]])
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: linalg.map {{.*}} ins(%[[B]], %[[C]] {{.*}} outs(%[[D]]
    %new = memref.alloc() : memref<8x8xi8>
    linalg.map { arith.addi } ins(%x, %z : memref<8x8xi8>, memref<8x8xi8>) outs(%new : memref<8x8xi8>)
    memref.copy %y, %x : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %z, %y : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %new, %z : memref<8x8xi8> to memref<8x8xi8>
    // CHECK-NEXT: scf.yield %[[C]], %[[A]], %[[D]], %[[B]]
  }
  // CHECK: memref.copy %[[R]]#1, %{{.*}} #luna.memory<psram>>
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// Two carried values, the new ones of which are live at once: two free buffers.
// CHECK-LABEL: @two
func.func @two(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  // CHECK: %[[Y:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  %y = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  memref.copy %in, %y : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  // CHECK: %[[R:.*]]:4 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %{{.*}}, %[[C:.*]] = %[[Y]], %[[D:.*]] = %{{.*}})
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: linalg.transpose ins(%[[C]] {{.*}} outs(%[[B]]
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%y : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    // CHECK: linalg.map {{.*}} ins(%[[A]], %[[C]] {{.*}} outs(%[[D]]
    %other = memref.alloc() : memref<8x8xi8>
    linalg.map { arith.addi } ins(%x, %y : memref<8x8xi8>, memref<8x8xi8>) outs(%other : memref<8x8xi8>)
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %other, %y : memref<8x8xi8> to memref<8x8xi8>
    // CHECK-NEXT: scf.yield %[[B]], %[[A]], %[[D]], %[[C]]
  }
  // CHECK: linalg.map {{.*}} ins(%[[R]]#0, %[[R]]#2 {{.*}} outs(%[[R]]#0
  linalg.map { arith.addi } ins(%x, %y : memref<8x8xi8>, memref<8x8xi8>) outs(%x : memref<8x8xi8>)
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// Twice in a turn, and in a loop within: all copies share the free buffer. A
// view is of the buffer that has the value then.
// CHECK-LABEL: @nested
func.func @nested(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  // CHECK: %[[FREE:.*]] = memref.alloc()
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: %[[S:.*]]:2 = scf.for {{.*}} iter_args(%[[C:.*]] = %[[A]], %[[D:.*]] = %[[B]])
    scf.for %k = %c0 to %i step %c1 {
      // CHECK: %[[VIEW:.*]] = memref.subview %[[C]]
      %view = memref.subview %x[0, 0] [8, 1] [1, 1] : memref<8x8xi8> to memref<8x1xi8, strided<[8, 1]>>
      // CHECK: linalg.broadcast ins(%{{.*}} outs(%[[D]]
      %row = memref.collapse_shape %view [[0, 1]] : memref<8x1xi8, strided<[8, 1]>> into memref<8xi8, strided<[8]>>
      %new = memref.alloc() : memref<8x8xi8>
      linalg.broadcast ins(%row : memref<8xi8, strided<[8]>>) outs(%new : memref<8x8xi8>) dimensions = [0]
      memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
      // CHECK: scf.yield %[[D]], %[[C]]
    }
    // CHECK: linalg.transpose ins(%[[S]]#0 {{.*}} outs(%[[S]]#1
    %new = memref.alloc() : memref<8x8xi8>
    linalg.transpose ins(%x : memref<8x8xi8>) outs(%new : memref<8x8xi8>) permutation = [1, 0]
    memref.copy %new, %x : memref<8x8xi8> to memref<8x8xi8>
    // CHECK: scf.yield %[[S]]#1, %[[S]]#0
  }
  // CHECK: memref.copy %[[R]]#0, %{{.*}} #luna.memory<psram>>
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}

// -----

// Three values take turns, one of them in a view, which no pointer exchanges.
// That is copied, and not to the buffer whose value is still to be read.
// CHECK-LABEL: @turning_with_view
func.func @turning_with_view(%n: index, %in: memref<8x8xi8, #luna.memory<psram>>, %out: memref<8x8xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8x8xi8>
  %y = memref.alloc() : memref<8x8xi8>
  %flat = memref.alloc() : memref<64xi8>
  memref.copy %in, %x : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  memref.copy %in, %y : memref<8x8xi8, #luna.memory<psram>> to memref<8x8xi8>
  // CHECK: %[[V:.*]] = memref.reinterpret_cast
  %v = memref.reinterpret_cast %flat to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xi8> to memref<8x8xi8>
  linalg.transpose ins(%x : memref<8x8xi8>) outs(%v : memref<8x8xi8>) permutation = [1, 0]
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}})
  scf.for %i = %c0 to %n step %c1 {
    %first = memref.alloc() : memref<8x8xi8>
    %second = memref.alloc() : memref<8x8xi8>
    // CHECK-NEXT: memref.copy %[[V]], %[[D]]
    // CHECK-NEXT: memref.copy %[[A]], %[[V]]
    // CHECK-NEXT: scf.yield %[[B]], %[[D]], %[[A]], %[[C]]
    memref.copy %x, %first : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %v, %second : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %y, %x : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %first, %v : memref<8x8xi8> to memref<8x8xi8>
    memref.copy %second, %y : memref<8x8xi8> to memref<8x8xi8>
  }
  memref.copy %x, %out : memref<8x8xi8> to memref<8x8xi8, #luna.memory<psram>>
  return
}
