// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{only-loops=true},luna-form-regions,luna-order{steps=0},luna-plan-memory))' | FileCheck %s

// A carried buffer and the one the body makes are alive together at the back
// edge: two places.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @carried(%x: memref<32xi8>, %y: memref<32xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: memref.alloc() {luna.place = #luna.place<id = 0, offset = [[C:[0-9]+]], kind = tensor, name = "tensor0">}
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<32xi8>) {
    // CHECK: memref.alloc() {luna.place = #luna.place<id = 1,
    // CHECK-NOT: offset = [[C]],
    %new = memref.alloc() : memref<32xi8>
    linalg.map {arith.addi} ins(%a, %a : memref<32xi8>, memref<32xi8>) outs(%new : memref<32xi8>)
    // CHECK: scf.yield
    scf.yield %new : memref<32xi8>
  }
  memref.copy %r, %y : memref<32xi8> to memref<32xi8>
  return
}

// What the loop only reads is live in the whole body.
// CHECK-LABEL: func.func @invariant
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @invariant(%x: memref<32xi8>, %y: memref<32xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.alloc() : memref<32xi8>
  memref.copy %x, %k : memref<32xi8> to memref<32xi8>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %k, %y : memref<32xi8> to memref<32xi8>
    %t = memref.alloc() : memref<32xi8>
    memref.copy %y, %t : memref<32xi8> to memref<32xi8>
    memref.copy %t, %y : memref<32xi8> to memref<32xi8>
  }
  return
}

// A buffer of the body that is first touched under an `if` does not live around
// the back edge: it shares with what the body used before.
// CHECK-LABEL: func.func @born_in_if
// CHECK-SAME: luna.arena_bytes = 32 : i64
func.func @born_in_if(%x: memref<32xi8>, %y: memref<32xi8>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloc() : memref<32xi8>
    memref.copy %x, %s : memref<32xi8> to memref<32xi8>
    memref.copy %s, %y : memref<32xi8> to memref<32xi8>
    %t = memref.alloc() : memref<32xi8>
    scf.if %c {
      memref.copy %x, %t : memref<32xi8> to memref<32xi8>
    } else {
      memref.copy %y, %t : memref<32xi8> to memref<32xi8>
    }
    memref.copy %t, %y : memref<32xi8> to memref<32xi8>
  }
  return
}

// A value that each iteration overwrites before it reads is not live around
// the back edge: three values and the carried one take turns in two places.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @chain(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<32xi8>
  memref.copy %x, %h : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloc() : memref<32xi8>
    linalg.map {arith.addi} ins(%h, %h : memref<32xi8>, memref<32xi8>) outs(%s : memref<32xi8>)
    %t = memref.alloc() : memref<32xi8>
    linalg.map {arith.addi} ins(%s, %s : memref<32xi8>, memref<32xi8>) outs(%t : memref<32xi8>)
    %u = memref.alloc() : memref<32xi8>
    linalg.map {arith.addi} ins(%t, %t : memref<32xi8>, memref<32xi8>) outs(%u : memref<32xi8>)
    linalg.map {arith.addi} ins(%u, %u : memref<32xi8>, memref<32xi8>) outs(%h : memref<32xi8>)
  }
  memref.copy %h, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// With a body that overwrites half of it the carried value stays live.
// CHECK-LABEL: func.func @half
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @half(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<32xi8>
  %part = memref.subview %h[0] [16] [1] : memref<32xi8> to memref<16xi8, strided<[1]>>
  memref.copy %x, %h : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloc() : memref<32xi8>
    memref.copy %x, %s : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    memref.copy %s, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    %k = arith.constant 1 : i8
    linalg.fill ins(%k : i8) outs(%part : memref<16xi8, strided<[1]>>)
  }
  memref.copy %h, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// The first value is only read if there are no iterations: up to where it is
// overwritten, the body may use its place.
// CHECK-LABEL: func.func @zero_trips
// CHECK-SAME: luna.arena_bytes = 32 : i64
func.func @zero_trips(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<32xi8>
  memref.copy %x, %h : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloc() : memref<32xi8>
    memref.copy %x, %s : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    memref.copy %s, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    memref.copy %x, %h : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
  }
  memref.copy %h, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// What the iterations write piece by piece, and is read behind the loop, is
// live in all of it, though the first touch is a write.
// CHECK-LABEL: func.func @gathered
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @gathered(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  %h = memref.alloc() : memref<32xi8>
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloc() : memref<32xi8>
    memref.copy %x, %s : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    %v = memref.load %s[%i] : memref<32xi8>
    memref.store %v, %h[%i] : memref<32xi8>
  }
  memref.copy %h, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// What the first region of a while allocates is read in the second one and
// behind it, but not by the next iteration; the second one's own buffer shares
// its place.
// CHECK-LABEL: func.func @both_regions
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @both_regions(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %r = scf.while : () -> memref<32xi8> {
    %s = memref.alloc() : memref<32xi8>
    memref.copy %x, %s : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    memref.copy %s, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    %t = memref.alloc() : memref<32xi8>
    memref.copy %x, %t : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    %v = memref.load %t[%c0] : memref<32xi8>
    %go = arith.cmpi ne, %v, %zero : i8
    scf.condition(%go) %t : memref<32xi8>
  } do {
  ^bb0(%a: memref<32xi8>):
    %u = memref.alloc() : memref<32xi8>
    memref.copy %x, %u : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    memref.copy %a, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    memref.copy %u, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    scf.yield
  }
  memref.copy %r, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// A buffer from before the loop that the first region overwrites leaves by
// scf.condition: it is live into the second region and out of the loop.
// CHECK-LABEL: func.func @exit_by_condition
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @exit_by_condition(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %h = memref.alloc() : memref<32xi8>
  scf.while : () -> () {
    %s = memref.alloc() : memref<32xi8>
    memref.copy %x, %s : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    memref.copy %s, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    memref.copy %x, %h : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    %v = memref.load %h[%c0] : memref<32xi8>
    %go = arith.cmpi ne, %v, %zero : i8
    scf.condition(%go)
  } do {
    %u = memref.alloc() : memref<32xi8>
    memref.copy %x, %u : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    memref.copy %h, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    memref.copy %u, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    scf.yield
  }
  memref.copy %h, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  return
}

// The target of a transfer that the next iteration awaits is the engine's
// around the back edge: what the body fills before shares no byte with it.
// CHECK-LABEL: func.func @in_flight_around
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @in_flight_around(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 1 : i8
  %a = memref.alloc() : memref<32xi8, #luna.memory<shared>>
  %first = luna.dma_start %x to %a : memref<32xi8, #luna.memory<psram>> to memref<32xi8, #luna.memory<shared>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> (!luna.token) {
    %s = memref.alloc() : memref<32xi8, #luna.memory<shared>>
    linalg.fill ins(%k : i8) outs(%s : memref<32xi8, #luna.memory<shared>>)
    luna.dma_wait %t
    %u = luna.dma_start %s to %y : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<psram>>
    luna.dma_wait %u
    %next = luna.dma_start %x to %a : memref<32xi8, #luna.memory<psram>> to memref<32xi8, #luna.memory<shared>>
    scf.yield %next : !luna.token
  }
  luna.dma_wait %last
  return
}

// So if the body allocates the target: the next iteration does not begin it
// anew before the wait, which may be for either buffer.
// CHECK-LABEL: func.func @in_flight_from_the_body
// CHECK-SAME: luna.arena_bytes = 96 : i64
func.func @in_flight_from_the_body(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 1 : i8
  %a = memref.alloc() : memref<32xi8, #luna.memory<shared>>
  linalg.fill ins(%k : i8) outs(%a : memref<32xi8, #luna.memory<shared>>)
  %first = luna.dma_start %a to %y : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<psram>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> (!luna.token) {
    %s = memref.alloc() : memref<32xi8, #luna.memory<shared>>
    linalg.fill ins(%k : i8) outs(%s : memref<32xi8, #luna.memory<shared>>)
    luna.dma_wait %t
    %u = luna.dma_start %s to %y : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<psram>>
    luna.dma_wait %u
    %b = memref.alloc() : memref<32xi8, #luna.memory<shared>>
    %next = luna.dma_start %x to %b : memref<32xi8, #luna.memory<psram>> to memref<32xi8, #luna.memory<shared>>
    scf.yield %next : !luna.token
  }
  luna.dma_wait %last
  return
}

// One branch allocates in a loop what another one does not touch: from one
// iteration to the next it does not live.
// CHECK-LABEL: func.func @in_one_branch
// CHECK-SAME: luna.arena_bytes = 32 : i64
func.func @in_one_branch(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloc() : memref<32xi8>
    memref.copy %x, %s : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    memref.copy %s, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    scf.if %c {
      %a = memref.alloc() : memref<32xi8>
      memref.copy %x, %a : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
      memref.copy %a, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
    }
    %r = memref.alloc() : memref<32xi8>
    memref.copy %x, %r : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
    memref.copy %r, %y : memref<32xi8> to memref<32xi8, #luna.memory<psram>>
  }
  return
}
