// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))'
// Plans that may trap or leave their bounds where the program does not.

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// Nothing in the program divides.
func.func @divides(%a: i32, %b: i32) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  %q = arith.divsi %a, %b : i32
  return
}
luna.program @p {
  func.func @divides(%a: i32, %b: i32) {

    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The least dividend has no remainder by -1.
func.func @overflows(%a: i32) attributes {luna.arena_bytes = 0} {
  %c = arith.constant -1 : i32
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  %q = arith.remsi %a, %c : i32
  return
}
luna.program @p {
  func.func @overflows(%a: i32) {

    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The program divides by it on the other path.
func.func @divides_elsewhere(%c: i1, %a: i32, %b: i32) attributes {luna.arena_bytes = 0} {
  scf.if %c {
    // expected-error @below {{may trap or leave its bounds where the program does not}}
    %q = arith.remui %a, %b : i32
  }
  return
}
luna.program @p {
  func.func @divides_elsewhere(%c: i1, %a: i32, %b: i32) {
    scf.if %c {
    } else {
      %q = arith.divui %a, %b : i32
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// A loop that may have no iteration divides nothing.
func.func @divides_before_loop(%n: index, %a: index) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  %q = index.divu %a, %n
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = index.divu %a, %n
  }
  return
}
luna.program @p {
  func.func @divides_before_loop(%n: index, %a: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %q = index.divu %a, %n
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The first divisor is 2, the 32nd is 0.
func.func @divides_by_carried(%a: i32, %n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %two) -> i32 {
    // expected-error @below {{may trap or leave its bounds where the program does not}}
    %q = arith.divui %a, %b : i32
    memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
    %d = arith.addi %b, %b : i32
    scf.yield %d : i32
  }
  return
}
luna.program @p {
  func.func @divides_by_carried(%a: i32, %n: index, %x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %two = arith.constant 2 : i32
    %q = arith.divui %a, %two : i32
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// An element that data decides.
func.func @loads(%i: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  %v = memref.load %x[%i] : memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @loads(%i: index, %x: memref<4xi8>, %y: memref<4xi8>) {

    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The program loads it of eight elements.
func.func @loads_larger(%i: index, %x: memref<4xi8, #p>, %y: memref<8xi8, #p>, %z: memref<i8, #p>) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  %v = memref.load %x[%i] : memref<4xi8, #p>
  %w = memref.load %y[%i] : memref<8xi8, #p>
  memref.store %w, %z[] : memref<i8, #p>
  return
}
luna.program @p {
  func.func @loads_larger(%i: index, %x: memref<4xi8>, %y: memref<8xi8>, %z: memref<i8>) {
    %w = memref.load %y[%i] : memref<8xi8>
    memref.store %w, %z[] : memref<i8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The last iteration leaves the memref.
func.func @loads_behind(%n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    // expected-error @below {{may trap or leave its bounds where the program does not}}
    %v = memref.load %x[%i] : memref<4xi8, #p>
    memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
  }
  return
}
luna.program @p {
  func.func @loads_behind(%n: index, %x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    scf.for %i = %c0 to %c5 step %c1 {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// What is stored is overwritten.
func.func @stores(%i: index, %v: i8, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  memref.store %v, %y[%i] : memref<4xi8, #p>
  memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @stores(%i: index, %v: i8, %x: memref<4xi8>, %y: memref<4xi8>) {
    memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// A part of the memref, where data decides.
func.func @views(%i: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  %v = memref.subview %x[%i] [2] [1] : memref<4xi8, #p> to memref<2xi8, strided<[1], offset: ?>, #p>
  return
}
luna.program @p {
  func.func @views(%i: index, %x: memref<4xi8>, %y: memref<4xi8>) {

    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The same by its layout.
func.func @casts(%i: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  %v = memref.reinterpret_cast %x to offset: [%i], sizes: [2], strides: [1] : memref<4xi8, #p> to memref<2xi8, strided<[1], offset: ?>, #p>
  return
}
luna.program @p {
  func.func @casts(%i: index, %x: memref<4xi8>, %y: memref<4xi8>) {

    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The result is overwritten, the division executed.
func.func @divides_in_a_body(%v: i8, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{may trap or leave its bounds where the program does not}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi8, #p>) outs(%y : memref<4xi8, #p>) {
  ^bb0(%in: i8, %out: i8):
    %q = arith.divui %in, %v : i8
    linalg.yield %q : i8
  }
  memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @divides_in_a_body(%v: i8, %x: memref<4xi8>, %y: memref<4xi8>) {
    memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// A loop of the plan alone divides by what it carries.
func.func @added_loop(%x: memref<8xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = arith.constant 1 : i32
  // expected-error @below {{loops do not correspond to those of the program}}
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%b = %a) -> i32 {
    %q = arith.divui %a, %b : i32
    %d = arith.subi %b, %a : i32
    scf.yield %d : i32
  }
  return
}
luna.program @p {
  func.func @added_loop(%x: memref<8xi8>) {

    return
  }
}
