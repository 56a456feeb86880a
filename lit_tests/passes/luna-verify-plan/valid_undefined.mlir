// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))' -o %t
// Programs that read buffers that they have written in part: what is left in the
// plan's bytes of another buffer is as undefined as what the program has there.

#p = #luna.memory<psram>
#s = #luna.memory<shared>
#id = affine_map<(d0) -> (d0)>

// Two buffers one behind the other in one place.
func.func @partly_written(%v: i8, %x: memref<16xi8, #p>, %y: memref<16xi8, #p>, %z: memref<16xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<16xi8, #s>
  memref.copy %x, %a : memref<16xi8, #p> to memref<16xi8, #s>
  memref.copy %a, %y : memref<16xi8, #s> to memref<16xi8, #p>
  memref.store %v, %b[%c0] : memref<16xi8, #s>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xi8, #s>) outs(%z : memref<16xi8, #p>) {
  ^bb0(%in: i8, %out: i8):
    %n = arith.addi %in, %in : i8
    linalg.yield %n : i8
  }
  return
}
luna.program @p {
  func.func @partly_written(%v: i8, %x: memref<16xi8>, %y: memref<16xi8>, %z: memref<16xi8>) {
    %c0 = arith.constant 0 : index
    %b = memref.alloc() : memref<16xi8>
    memref.copy %x, %y : memref<16xi8> to memref<16xi8>
    memref.store %v, %b[%c0] : memref<16xi8>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xi8>) outs(%z : memref<16xi8>) {
    ^bb0(%in: i8, %out: i8):
      %n = arith.addi %in, %in : i8
      linalg.yield %n : i8
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>
#id = affine_map<(d0) -> (d0)>

// A loop writes the second one element by element.
func.func @written_by_a_loop(%v: i8, %n: index, %x: memref<16xi8, #p>, %y: memref<16xi8, #p>, %z: memref<16xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<16xi8, #s>
  memref.copy %x, %a : memref<16xi8, #p> to memref<16xi8, #s>
  memref.copy %a, %y : memref<16xi8, #s> to memref<16xi8, #p>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %b[%i] : memref<16xi8, #s>
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xi8, #s>) outs(%z : memref<16xi8, #p>) {
  ^bb0(%in: i8, %out: i8):
    %m = arith.addi %in, %in : i8
    linalg.yield %m : i8
  }
  return
}
luna.program @p {
  func.func @written_by_a_loop(%v: i8, %n: index, %x: memref<16xi8>, %y: memref<16xi8>, %z: memref<16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = memref.alloc() : memref<16xi8>
    memref.copy %x, %y : memref<16xi8> to memref<16xi8>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %v, %b[%i] : memref<16xi8>
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xi8>) outs(%z : memref<16xi8>) {
    ^bb0(%in: i8, %out: i8):
      %m = arith.addi %in, %in : i8
      linalg.yield %m : i8
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>
#id = affine_map<(d0) -> (d0)>

// The same, where the loop carries the buffer.
func.func @written_by_a_loop_that_carries(%v: i8, %n: index, %x: memref<16xi8, #p>, %y: memref<16xi8, #p>, %z: memref<16xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<16xi8, #s>
  memref.copy %x, %a : memref<16xi8, #p> to memref<16xi8, #s>
  memref.copy %a, %y : memref<16xi8, #s> to memref<16xi8, #p>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %b) -> (memref<16xi8, #s>) {
    memref.store %v, %q[%i] : memref<16xi8, #s>
    scf.yield %q : memref<16xi8, #s>
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%r : memref<16xi8, #s>) outs(%z : memref<16xi8, #p>) {
  ^bb0(%in: i8, %out: i8):
    %m = arith.addi %in, %in : i8
    linalg.yield %m : i8
  }
  return
}
luna.program @p {
  func.func @written_by_a_loop_that_carries(%v: i8, %n: index, %x: memref<16xi8>, %y: memref<16xi8>, %z: memref<16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = memref.alloc() : memref<16xi8>
    memref.copy %x, %y : memref<16xi8> to memref<16xi8>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %v, %b[%i] : memref<16xi8>
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xi8>) outs(%z : memref<16xi8>) {
    ^bb0(%in: i8, %out: i8):
      %m = arith.addi %in, %in : i8
      linalg.yield %m : i8
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// A loop that carries a buffer and does nothing with it leaves its place to
// another one.
func.func @carried_and_not_accessed(%n: index, %k: memref<16xi8, #p>, %x: memref<16xi8, #p>, %y: memref<16xi8, #p>, %z: memref<16xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<16xi8, #s>
  memref.copy %x, %a : memref<16xi8, #p> to memref<16xi8, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %b) -> (memref<16xi8, #s>) {
    memref.copy %a, %y : memref<16xi8, #s> to memref<16xi8, #p>
    scf.for %j = %c0 to %n step %c1 iter_args(%w = %q) -> (memref<16xi8, #s>) {
      memref.copy %a, %z : memref<16xi8, #s> to memref<16xi8, #p>
      scf.yield %w : memref<16xi8, #s>
    }
    scf.yield %q : memref<16xi8, #s>
  }
  memref.copy %k, %r : memref<16xi8, #p> to memref<16xi8, #s>
  memref.copy %r, %z : memref<16xi8, #s> to memref<16xi8, #p>
  return
}
luna.program @p {
  func.func @carried_and_not_accessed(%n: index, %k: memref<16xi8>, %x: memref<16xi8>, %y: memref<16xi8>, %z: memref<16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %y : memref<16xi8> to memref<16xi8>
      scf.for %j = %c0 to %n step %c1 {
        memref.copy %x, %z : memref<16xi8> to memref<16xi8>
      }
    }
    memref.copy %k, %z : memref<16xi8> to memref<16xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// The program leaves its result undefined where the condition does not hold; the
// plan leaves something there.
func.func @undefined_in_a_branch(%f: i1, %x: memref<16xi8, #p>, %k: memref<16xi8, #p>, %o: memref<16xi8, #p>) attributes {luna.arena_bytes = 32} {
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<16xi8, #s>
  memref.copy %k, %b : memref<16xi8, #p> to memref<16xi8, #s>
  scf.if %f {
    memref.copy %x, %b : memref<16xi8, #p> to memref<16xi8, #s>
  }
  memref.copy %b, %o : memref<16xi8, #s> to memref<16xi8, #p>
  return
}
luna.program @p {
  func.func @undefined_in_a_branch(%f: i1, %x: memref<16xi8>, %k: memref<16xi8>, %o: memref<16xi8>) {
    %b = memref.alloc() : memref<16xi8>
    scf.if %f {
      memref.copy %x, %b : memref<16xi8> to memref<16xi8>
    }
    memref.copy %b, %o : memref<16xi8> to memref<16xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// Undefined bytes follow a constant; in the plan the constant goes on.
memref.global "private" constant @long : memref<8xi8, #luna.memory<psram>> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
func.func @undefined_behind_a_constant(%o: memref<8xi8, #p>) {
  %k = memref.get_global @long : memref<8xi8, #p>
  memref.copy %k, %o : memref<8xi8, #p> to memref<8xi8, #p>
  return
}
luna.program @p {
  memref.global "private" constant @short : memref<4xi8> = dense<[1, 2, 3, 4]>
  func.func @undefined_behind_a_constant(%o: memref<8xi8>) {
    %k = memref.get_global @short : memref<4xi8>
    %b = memref.alloc() : memref<8xi8>
    %part = memref.subview %b[0] [4] [1] : memref<8xi8> to memref<4xi8, strided<[1]>>
    memref.copy %k, %part : memref<4xi8> to memref<4xi8, strided<[1]>>
    memref.copy %b, %o : memref<8xi8> to memref<8xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>
#id = affine_map<(d0) -> (d0)>

// A branch accesses the second one first, where it is taken.
func.func @accessed_in_a_branch(%f: i1, %v: i8, %x: memref<16xi8, #p>, %y: memref<16xi8, #p>, %z: memref<16xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<16xi8, #s>
  memref.copy %x, %a : memref<16xi8, #p> to memref<16xi8, #s>
  memref.copy %a, %y : memref<16xi8, #s> to memref<16xi8, #p>
  scf.if %f {
    memref.store %v, %b[%c0] : memref<16xi8, #s>
  }
  memref.store %v, %b[%c1] : memref<16xi8, #s>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xi8, #s>) outs(%z : memref<16xi8, #p>) {
  ^bb0(%in: i8, %out: i8):
    %n = arith.addi %in, %in : i8
    linalg.yield %n : i8
  }
  return
}
luna.program @p {
  func.func @accessed_in_a_branch(%f: i1, %v: i8, %x: memref<16xi8>, %y: memref<16xi8>, %z: memref<16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = memref.alloc() : memref<16xi8>
    memref.copy %x, %y : memref<16xi8> to memref<16xi8>
    scf.if %f {
      memref.store %v, %b[%c0] : memref<16xi8>
    }
    memref.store %v, %b[%c1] : memref<16xi8>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xi8>) outs(%z : memref<16xi8>) {
    ^bb0(%in: i8, %out: i8):
      %n = arith.addi %in, %in : i8
      linalg.yield %n : i8
    }
    return
  }
}
