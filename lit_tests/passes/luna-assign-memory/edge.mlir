// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-assign-memory)' | FileCheck %s

// An output that an operator computes into is kept on chip until the end.
// CHECK-LABEL: func.func @computed_output(
// CHECK-SAME: %{{.*}}, %[[Y:.*]]: memref
func.func @computed_output(%x: memref<4xi8>, %y: memref<4xi8>) {
  // CHECK: %[[OUT:.*]] = memref.alloc() {luna.kind = "output"} : memref<4xi8, #luna.memory<shared>>
  // CHECK: linalg.map
  // CHECK-SAME: outs(%[[OUT]]
  linalg.map {arith.addi} ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%y : memref<4xi8>)
  // CHECK: memref.copy %[[OUT]], %[[Y]]
  // CHECK-NEXT: return
  return
}

// -----

// An argument that is read and written is copied in and out.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:.*]]: memref
func.func @in_place(%x: memref<4xi8>) {
  // CHECK: %[[B:.*]] = memref.alloc()
  // CHECK: memref.copy %[[X]], %[[B]]
  // CHECK: linalg.map
  // CHECK: memref.copy %[[B]], %[[X]]
  linalg.map {arith.addi} ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>)
  return
}

// -----

// An input that nobody reads is not copied.
// CHECK-LABEL: func.func @unused_input(
// CHECK-NEXT: return
func.func @unused_input(%x: memref<4xi8>) {
  return
}

// -----

// A constant that a branch hands on comes on chip, so that both sides agree.
memref.global "private" constant @k : memref<4xi8> = dense<3>
// CHECK-LABEL: func.func @constant_branch(
func.func @constant_branch(%c: memref<i1>, %x: memref<4xi8>, %y: memref<4xi8>) {
  %cond = memref.load %c[] : memref<i1>
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (memref<4xi8, #luna.memory<shared>>)
  %r = scf.if %cond -> (memref<4xi8>) {
    // CHECK: %[[K:.*]] = memref.get_global @k : memref<4xi8, #luna.memory<psram>>
    %k = memref.get_global @k : memref<4xi8>
    // CHECK: %[[COPY:.*]] = memref.alloc() : memref<4xi8, #luna.memory<shared>>
    // CHECK: memref.copy %[[K]], %[[COPY]]
    // CHECK: scf.yield %[[COPY]]
    scf.yield %k : memref<4xi8>
  } else {
    scf.yield %x : memref<4xi8>
  }
  linalg.map {arith.addi} ins(%r, %r : memref<4xi8>, memref<4xi8>) outs(%y : memref<4xi8>)
  return
}

// -----

// A state variable handed on to another is read before it is written anew.
// CHECK-LABEL: func.func @delay_line(
// CHECK-SAME: %[[X:.*]]: memref<4xi8, #luna.memory<psram>>, %[[A:.*]]: memref<4xi8, #luna.memory<psram>> {luna.state = "a"}, %[[B:.*]]: memref<4xi8, #luna.memory<psram>> {luna.state = "b"}
func.func @delay_line(%x: memref<4xi8>, %a: memref<4xi8> {luna.state = "a"}, %b: memref<4xi8> {luna.state = "b"}, %y: memref<4xi8> {bufferize.result}, %a1: memref<4xi8> {bufferize.result, luna.state = "a"}, %b1: memref<4xi8> {bufferize.result, luna.state = "b"}) {
  // CHECK: memref.copy %[[X]], %[[NEWA:.*]] : memref
  // CHECK: memref.copy %[[A]], %[[NEWB:.*]] : memref
  // CHECK: memref.copy %[[NEWA]], %{{.*}} : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
  // CHECK: memref.copy %[[B]], %[[Y:.*]] : memref
  // CHECK: memref.copy %[[NEWB]], %{{.*}} : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
  // CHECK: memref.copy %[[Y]], %{{.*}} : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
  memref.copy %b, %y : memref<4xi8> to memref<4xi8>
  memref.copy %x, %a1 : memref<4xi8> to memref<4xi8>
  memref.copy %a, %b1 : memref<4xi8> to memref<4xi8>
  return
}

// -----

// A result leaves as soon as it is complete, and from where it is.
// CHECK-LABEL: func.func @early(
// CHECK-SAME: %[[Y:.*]]: memref<4xi8, #luna.memory<psram>>, %[[Z:.*]]: memref<2xi8, #luna.memory<psram>>, %{{.*}}: memref
func.func @early(%x: memref<4xi8>, %y: memref<4xi8>, %z: memref<2xi8>, %w: memref<4xi8>) {
  %a = memref.alloc() : memref<4xi8>
  %b = memref.alloc() : memref<4xi8>
  %c = memref.alloc() : memref<2xi8>
  // CHECK: linalg.map {{.*}} outs(%[[A:.*]] : memref<4xi8, #luna.memory<shared>>)
  // CHECK: linalg.map {{.*}} outs(%[[B:.*]] : memref<4xi8, #luna.memory<shared>>)
  linalg.map {arith.addi} ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%a : memref<4xi8>)
  linalg.map {arith.addi} ins(%a, %x : memref<4xi8>, memref<4xi8>) outs(%b : memref<4xi8>)
  // CHECK-NEXT: memref.copy %[[A]], %{{.*}} : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
  // CHECK: linalg.map {{.*}} ins(%[[B]]
  linalg.map {arith.addi} ins(%b, %x : memref<4xi8>, memref<4xi8>) outs(%b : memref<4xi8>)
  // CHECK: memref.copy %{{.*}}, %{{.*}} : memref<2xi8, strided<[1], offset: 2>, #luna.memory<shared>> to memref<2xi8, #luna.memory<psram>>
  %tail = memref.subview %b[2] [2] [1] : memref<4xi8> to memref<2xi8, strided<[1], offset: 2>>
  memref.copy %tail, %c : memref<2xi8, strided<[1], offset: 2>> to memref<2xi8>
  // CHECK: linalg.map
  linalg.map {arith.subi} ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%w : memref<4xi8>)
  memref.copy %a, %y : memref<4xi8> to memref<4xi8>
  memref.copy %c, %z : memref<2xi8> to memref<2xi8>
  return
}

// -----

// Branches store what they yield, if it only leaves; a state variable that a
// branch hands on unchanged is neither loaded nor stored.
// CHECK-LABEL: func.func @stored_in_branches(
// CHECK-SAME: %{{[^:]*}}: memref<i1, #luna.memory<psram>>, %[[X:.*]]: memref<4xi8, #luna.memory<psram>>, %[[S:[^:]*]]: memref<4xi8, #luna.memory<psram>> {luna.state = "s"}
func.func @stored_in_branches(%c: memref<i1>, %x: memref<4xi8>, %s: memref<4xi8> {luna.state = "s"}, %y: memref<4xi8> {bufferize.result}, %t: memref<4xi8> {bufferize.result, luna.state = "s"}) {
  %cond = memref.load %c[] : memref<i1>
  // CHECK: scf.if %{{.*}} {
  %r:2 = scf.if %cond -> (memref<4xi8>, memref<4xi8>) {
    // CHECK: linalg.map {{.*}} outs(%[[A:.*]] : memref
    %a = memref.alloc() : memref<4xi8>
    linalg.map {arith.addi} ins(%x, %s : memref<4xi8>, memref<4xi8>) outs(%a : memref<4xi8>)
    // CHECK-COUNT-2: memref.copy %[[A]], %{{.*}} : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
    scf.yield %a, %a : memref<4xi8>, memref<4xi8>
  } else {
    // CHECK: } else {
    // CHECK-NOT: memref.copy %[[S]]
    // CHECK: memref.copy %[[X]], %[[IN:.*]] : memref
    // CHECK-NEXT: memref.copy %[[IN]], %{{.*}} : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
    // CHECK-NEXT: }
    scf.yield %x, %s : memref<4xi8>, memref<4xi8>
  }
  memref.copy %r#0, %y : memref<4xi8> to memref<4xi8>
  memref.copy %r#1, %t : memref<4xi8> to memref<4xi8>
  // CHECK-NEXT: return
  return
}

// -----

// A part of a constant, and one of two, that the unit reads are brought on chip;
// so is a constant that a select gives in place of a buffer on chip.
memref.global "private" constant @table : memref<256xi8> = dense<1>
memref.global "private" constant @pair : memref<2x16xi8> = dense<2>
// CHECK-LABEL: func.func @chosen_constants
// CHECK: %[[ROW:.*]] = memref.subview %{{.*}}[1, 0] [1, 16]
// CHECK: %[[PART:.*]] = memref.alloc() : memref<16xi8, #luna.memory<shared>>
// CHECK: memref.copy %[[ROW]], %[[PART]]
// CHECK: luna.table ins(%[[PART]]
// CHECK: %[[S:.*]] = arith.select %{{.*}} : memref<16xi8, #luna.memory<shared>>
// CHECK: memref.subview %[[S]][2] [4] [1] : memref<16xi8, #luna.memory<shared>>
func.func @chosen_constants(%c: memref<i1>, %y: memref<16xi8>, %z: memref<4xi8>) {
  %table = memref.get_global @table : memref<256xi8>
  %pair = memref.get_global @pair : memref<2x16xi8>
  %row = memref.subview %pair[1, 0] [1, 16] [1, 1] : memref<2x16xi8> to memref<16xi8, strided<[1], offset: 16>>
  %a = memref.alloc() : memref<16xi8>
  luna.table ins(%row, %table : memref<16xi8, strided<[1], offset: 16>>, memref<256xi8>) outs(%a : memref<16xi8>)
  %p = memref.load %c[] : memref<i1>
  %whole = memref.get_global @half : memref<16xi8>
  %s = arith.select %p, %whole, %a : memref<16xi8>
  %t = memref.subview %s[2] [4] [1] : memref<16xi8> to memref<4xi8, strided<[1], offset: 2>>
  memref.copy %t, %z : memref<4xi8, strided<[1], offset: 2>> to memref<4xi8>
  memref.copy %a, %y : memref<16xi8> to memref<16xi8>
  return
}
memref.global "private" constant @half : memref<16xi8> = dense<3>
