// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))'

// What callers see of a function is part of the program.

#p = #luna.memory<psram>

// expected-error @below {{argument 2: 'luna.state' differs from the program's}}
func.func @exchanged_state(%a: memref<4xi8, #p> {luna.state = "a"}, %b: memref<4xi8, #p> {luna.state = "b"}, %c: memref<4xi8, #p> {bufferize.result, luna.state = "b"}, %d: memref<4xi8, #p> {bufferize.result, luna.state = "a"}) attributes {luna.arena_bytes = 0} {
  return
}
luna.program @p {
  func.func @exchanged_state(%a: memref<4xi8> {luna.state = "a"}, %b: memref<4xi8> {luna.state = "b"}, %c: memref<4xi8> {bufferize.result, luna.state = "a"}, %d: memref<4xi8> {bufferize.result, luna.state = "b"}) {
    return
  }
}

// -----

#p = #luna.memory<psram>

// expected-error @below {{argument 0: 'luna.cases' differs from the program's}}
func.func @other_cases(%shape: memref<1xi32, #p> {luna.cases = array<i32: 1, 0>}) attributes {luna.arena_bytes = 0} {
  return
}
luna.program @p {
  func.func @other_cases(%shape: memref<1xi32> {luna.cases = array<i32: 0, 1>}) {
    return
  }
}

// -----

#p = #luna.memory<psram>

// expected-error @below {{argument 0: 'luna.name' differs from the program's}}
func.func @added_name(%x: memref<4xi8, #p> {luna.name = "x"}) attributes {luna.arena_bytes = 0} {
  return
}
luna.program @p {
  func.func @added_name(%x: memref<4xi8>) {
    return
  }
}

// -----

// expected-error @below {{result 0: 'luna.name' differs from the program's}}
func.func @other_result() -> (i32 {luna.name = "y"}) attributes {luna.arena_bytes = 0} {
  %c = arith.constant 1 : i32
  return %c : i32
}
luna.program @p {
  func.func @other_result() -> (i32 {luna.name = "x"}) {
    %c = arith.constant 1 : i32
    return %c : i32
  }
}

// -----

// What a function returns counts.
// expected-error @below {{result 0: bytes [0, 1) end up as the result of another operator, or of one with other operands, unlike in the program}}
func.func @ret() -> i32 attributes {luna.arena_bytes = 0} {
  %c = arith.constant 1 : i32
  return %c : i32
}
luna.program @p {
  func.func @ret() -> i32 {
    %c = arith.constant 2 : i32
    return %c : i32
  }
}

// -----

// So does how much that is.
// expected-error @below {{results differ from those of the program}}
func.func @types() -> (i32, i32) attributes {luna.arena_bytes = 0} {
  %c = arith.constant 1 : i32
  return %c, %c : i32, i32
}
luna.program @p {
  func.func @types() -> i32 {
    %c = arith.constant 1 : i32
    return %c : i32
  }
}

// -----

// Which of the records is the program?
// expected-error @below {{is recorded twice, needs one luna.program}}
func.func @twice() attributes {luna.arena_bytes = 0} {
  return
}
luna.program @p {
  func.func @twice() {
    return
  }
}
luna.program @q {
  func.func @twice() {
    return
  }
}

// -----

// A function of the program is gone.
// expected-error @below {{function 'other' of its program is not planned}}
func.func @one() attributes {luna.arena_bytes = 0} {
  return
}
luna.program @p {
  func.func @one() {
    return
  }
  func.func @other() {
    return
  }
}
