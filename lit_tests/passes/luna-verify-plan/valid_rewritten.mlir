// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))' -o %t
// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(canonicalize,cse,luna-verify-plan{record=required}))' -o %t
// What upstream's passes make of conditions, branches and loops behind the
// record.

#p = #luna.memory<psram>

// The negation exchanges the arms; a select takes the place of the inner if.
func.func @conditions(%a: i1, %b: i1, %i: index, %n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) {
  %both = arith.andi %b, %a : i1
  %less = arith.cmpi sgt, %n, %i : index
  scf.if %less {
    scf.if %both {
      memref.copy %x, %z : memref<4xi8, #p> to memref<4xi8, #p>
    }
  } else {
    %s = arith.select %a, %x, %y : memref<4xi8, #p>
    memref.copy %s, %z : memref<4xi8, #p> to memref<4xi8, #p>
  }
  return
}
luna.program @p {
  func.func @conditions(%a: i1, %b: i1, %i: index, %n: index, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    %true = arith.constant true
    %more = arith.cmpi sge, %i, %n : index
    %not = arith.xori %a, %true : i1
    scf.if %more {
      %s = scf.if %not -> memref<4xi8> {
        scf.yield %y : memref<4xi8>
      } else {
        scf.yield %x : memref<4xi8>
      }
      memref.copy %s, %z : memref<4xi8> to memref<4xi8>
    } else {
      scf.if %a {
        scf.if %b {
          memref.copy %x, %z : memref<4xi8> to memref<4xi8>
        }
      }
    }
    return
  }
}

// -----

#p = #luna.memory<psram>

// A loop of one turn is its body, one of none is nothing.
func.func @turns(%x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
  }
  return
}
luna.program @p {
  func.func @turns(%x: memref<4xi8>, %y: memref<4xi8>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %c0 step %c1 {
      memref.copy %y, %x : memref<4xi8> to memref<4xi8>
    }
    %r = scf.for %k = %c0 to %c1 step %c1 iter_args(%v = %y) -> (memref<4xi8>) {
      scf.for %i = %k to %n step %c1 {
        memref.copy %x, %v : memref<4xi8> to memref<4xi8>
      }
      scf.yield %x : memref<4xi8>
    }
    return
  }
}

// -----

#p = #luna.memory<psram>

// Within an arm its condition is known: of the branches in it, the arm that is
// dead, and the test of a loop.
func.func @known(%c: i1, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %n: index) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    scf.while : () -> () {
      memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
      scf.condition(%true)
    } do {
      scf.for %i = %c0 to %n step %c1 {
        memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
      }
      scf.yield
    }
  }
  return
}
luna.program @p {
  func.func @known(%c: i1, %x: memref<4xi8>, %y: memref<4xi8>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.if %c {
      scf.while : () -> () {
        memref.copy %x, %y : memref<4xi8> to memref<4xi8>
        scf.condition(%c)
      } do {
        scf.if %c {
          scf.for %i = %c0 to %n step %c1 {
            memref.copy %x, %y : memref<4xi8> to memref<4xi8>
          }
        } else {
          scf.for %i = %c0 to %n step %c1 {
            memref.copy %y, %x : memref<4xi8> to memref<4xi8>
          }
        }
        scf.yield
      }
    }
    return
  }
}

// -----

#p = #luna.memory<psram>

// Two branches became one: loops of arms that exclude each other are executed
// in another order.
func.func @merged(%c: i1, %n: index, %m: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %z : memref<4xi8, #p> to memref<4xi8, #p>
    }
    scf.for %i = %c0 to %m step %c1 {
      memref.copy %y, %z : memref<4xi8, #p> to memref<4xi8, #p>
    }
  } else {
    scf.for %i = %c0 to %m step %c1 {
      memref.copy %x, %z : memref<4xi8, #p> to memref<4xi8, #p>
    }
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %y, %z : memref<4xi8, #p> to memref<4xi8, #p>
    }
  }
  return
}
luna.program @p {
  func.func @merged(%c: i1, %n: index, %m: index, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.if %c {
      scf.for %i = %c0 to %n step %c1 {
        memref.copy %x, %z : memref<4xi8> to memref<4xi8>
      }
    } else {
      scf.for %i = %c0 to %m step %c1 {
        memref.copy %x, %z : memref<4xi8> to memref<4xi8>
      }
    }
    scf.if %c {
      scf.for %i = %c0 to %m step %c1 {
        memref.copy %y, %z : memref<4xi8> to memref<4xi8>
      }
    } else {
      scf.for %i = %c0 to %n step %c1 {
        memref.copy %y, %z : memref<4xi8> to memref<4xi8>
      }
    }
    return
  }
}

// -----

#p = #luna.memory<psram>

// The branch on a while's own test moved behind the test.
func.func @moved(%f: memref<i1, #p>, %n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.copy %y, %z : memref<4xi8, #p> to memref<4xi8, #p>
  scf.while : () -> () {
    %c = memref.load %f[] : memref<i1, #p>
    scf.condition(%c)
  } do {
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %z : memref<4xi8, #p> to memref<4xi8, #p>
    }
    scf.yield
  }
  return
}
luna.program @p {
  func.func @moved(%f: memref<i1>, %n: index, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    memref.copy %y, %z : memref<4xi8> to memref<4xi8>
    scf.while : () -> () {
      %c = memref.load %f[] : memref<i1>
      scf.if %c {
        scf.for %i = %c0 to %n step %c1 {
          memref.copy %x, %z : memref<4xi8> to memref<4xi8>
        }
      }
      scf.condition(%c)
    } do {
      scf.yield
    }
    return
  }
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
#r = #luna.requant<mode = shift>

// The operand is the choice of the program, decided by the path.
func.func @decided(%c: i1, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #s>
  scf.if %c {
    memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
    luna.add ins(%a, %a : memref<4xi8, #s>, memref<4xi8, #s>) outs(%b : memref<4xi8, #s>) {requant = #r}
    memref.copy %b, %z : memref<4xi8, #s> to memref<4xi8, #p>
  } else {
    memref.copy %y, %z : memref<4xi8, #p> to memref<4xi8, #p>
  }
  return
}
luna.program @p {
  func.func @decided(%c: i1, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    %s = scf.if %c -> memref<4xi8> {
      scf.yield %x : memref<4xi8>
    } else {
      scf.yield %y : memref<4xi8>
    }
    memref.copy %s, %z : memref<4xi8> to memref<4xi8>
    scf.if %c {
      %b = memref.alloc() : memref<4xi8>
      luna.add ins(%s, %s : memref<4xi8>, memref<4xi8>) outs(%b : memref<4xi8>) {requant = #luna.requant<mode = shift>}
      memref.copy %b, %z : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>

// What a loop leaves is a choice of the same bytes in another buffer.
func.func @left(%c: i1, %d: i1, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
  %r = scf.while : () -> memref<4xi8, #s> {
    %s = scf.if %c -> memref<4xi8, #s> {
      %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #s>
      memref.copy %a, %b : memref<4xi8, #s> to memref<4xi8, #s>
      scf.yield %b : memref<4xi8, #s>
    } else {
      scf.yield %a : memref<4xi8, #s>
    }
    memref.copy %y, %z : memref<4xi8, #p> to memref<4xi8, #p>
    scf.condition(%d) %s : memref<4xi8, #s>
  } do {
  ^bb0(%t: memref<4xi8, #s>):
    scf.yield
  }
  memref.copy %r, %z : memref<4xi8, #s> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @left(%c: i1, %d: i1, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    scf.while : () -> () {
      memref.copy %y, %z : memref<4xi8> to memref<4xi8>
      scf.condition(%d)
    } do {
      scf.yield
    }
    memref.copy %x, %z : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>

// The inner loop does not come to an end: the outer one has no test.
func.func @never_tested(%c: i1, %x: memref<4xi8, #p>, %z: memref<4xi8, #p>) {
  %true = arith.constant true
  scf.if %c {
    scf.while : () -> () {
      scf.while : () -> () {
        memref.copy %x, %z : memref<4xi8, #p> to memref<4xi8, #p>
        scf.condition(%true)
      } do {
        scf.yield
      }
      scf.condition(%true)
    } do {
      scf.yield
    }
  }
  return
}
luna.program @p {
  func.func @never_tested(%c: i1, %x: memref<4xi8>, %z: memref<4xi8>) {
    scf.if %c {
      scf.while : () -> () {
        scf.while : () -> () {
          memref.copy %x, %z : memref<4xi8> to memref<4xi8>
          scf.condition(%c)
        } do {
          scf.yield
        }
        scf.condition(%c)
      } do {
        scf.yield
      }
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// A loop replaces a value that is in one of two buffers: each is written where
// the condition says so, and is as before elsewhere.
func.func @loop_replaces_a_choice(%c: i1, %n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %k: memref<4xi8, #p>, %o: memref<4xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #s>
  memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
  memref.copy %y, %b : memref<4xi8, #p> to memref<4xi8, #s>
  %v = arith.select %c, %a, %b : memref<4xi8, #s>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %k, %v : memref<4xi8, #p> to memref<4xi8, #s>
  }
  memref.copy %v, %o : memref<4xi8, #s> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @loop_replaces_a_choice(%c: i1, %n: index, %x: memref<4xi8>, %y: memref<4xi8>, %k: memref<4xi8>, %o: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = arith.select %c, %x, %y : memref<4xi8>
    memref.copy %v, %o : memref<4xi8> to memref<4xi8>
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %k, %o : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// Where the condition does not hold the loop ends after one iteration: what
// that says of the other buffer is not part of the value behind the loop.
func.func @loop_ends_by_a_choice(%c: i1, %n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %k: memref<4xi8, #p>, %o: memref<4xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #s>
  memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
  memref.copy %y, %b : memref<4xi8, #p> to memref<4xi8, #s>
  %v = arith.select %c, %a, %b : memref<4xi8, #s>
  %w = arith.select %c, %b, %a : memref<4xi8, #s>
  %r = scf.while (%i = %c0, %goes_on = %true) : (index, i1) -> index {
    %is_below = arith.cmpi slt, %i, %n : index
    %test = arith.andi %is_below, %goes_on : i1
    scf.condition(%test) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    memref.copy %k, %v : memref<4xi8, #p> to memref<4xi8, #s>
    memref.copy %x, %w : memref<4xi8, #p> to memref<4xi8, #s>
    scf.yield %next, %c : index, i1
  }
  memref.copy %v, %o : memref<4xi8, #s> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @loop_ends_by_a_choice(%c: i1, %n: index, %x: memref<4xi8>, %y: memref<4xi8>, %k: memref<4xi8>, %o: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %v = arith.select %c, %x, %y : memref<4xi8>
    memref.copy %v, %o : memref<4xi8> to memref<4xi8>
    %r = scf.while (%i = %c0, %goes_on = %true) : (index, i1) -> index {
      %is_below = arith.cmpi slt, %i, %n : index
      %test = arith.andi %is_below, %goes_on : i1
      scf.condition(%test) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      memref.copy %k, %o : memref<4xi8> to memref<4xi8>
      scf.yield %next, %c : index, i1
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// The condition is read at a place known while running: it has one value in all
// iterations, as any from outside.
func.func @loop_begins_by_a_choice_at_a_place(%t: memref<4xi1, #p>, %at: index, %goes: i1, %n: index, %x: memref<4xi8, #p>, %k: memref<4xi8, #p>, %o: memref<4xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #s>
  memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
  memref.copy %k, %b : memref<4xi8, #p> to memref<4xi8, #s>
  %c = memref.load %t[%at] : memref<4xi1, #p>
  %v = arith.select %c, %a, %b : memref<4xi8, #s>
  %r = scf.while (%i = %c0, %goes_on = %goes) : (index, i1) -> index {
    %is_below = arith.cmpi slt, %i, %n : index
    %test = arith.andi %is_below, %goes_on : i1
    scf.condition(%test) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    memref.copy %k, %v : memref<4xi8, #p> to memref<4xi8, #s>
    scf.yield %next, %false : index, i1
  }
  memref.copy %v, %o : memref<4xi8, #s> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @loop_begins_by_a_choice_at_a_place(%t: memref<4xi1>, %at: index, %goes: i1, %n: index, %x: memref<4xi8>, %k: memref<4xi8>, %o: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %false = arith.constant false
    %c = memref.load %t[%at] : memref<4xi1>
    %v = arith.select %c, %x, %k : memref<4xi8>
    memref.copy %v, %o : memref<4xi8> to memref<4xi8>
    %r = scf.while (%i = %c0, %goes_on = %goes) : (index, i1) -> index {
      %is_below = arith.cmpi slt, %i, %n : index
      %test = arith.andi %is_below, %goes_on : i1
      scf.condition(%test) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      memref.copy %k, %o : memref<4xi8> to memref<4xi8>
      scf.yield %next, %false : index, i1
    }
    return
  }
}
