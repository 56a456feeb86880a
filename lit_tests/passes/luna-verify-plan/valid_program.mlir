// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))' -o %t
// Plans that do what the program did, by other means.

// A copy by way of shared memory.
func.func @added_copy(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 16 : i64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
  memref.copy %x, %a : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<shared>>
  memref.copy %a, %y : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
  return
}
luna.program @p {
  func.func @added_copy(%x: memref<4xi8>, %y: memref<4xi8>) {
    memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// A constant packed behind another, under another name.
memref.global "private" constant @params : memref<32xi8, #luna.memory<psram>> = dense<[9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]>
func.func @packed(%y: memref<4xi8, #luna.memory<psram>>) {
  %c16 = arith.constant 16 : index
  %p = memref.get_global @params : memref<32xi8, #luna.memory<psram>>
  %c = memref.view %p[%c16][] : memref<32xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
  memref.copy %c, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
  return
}
luna.program @p {
  memref.global "private" constant @weights : memref<4xi8> = dense<[1, 2, 3, 4]>
  func.func @packed(%y: memref<4xi8>) {
    %c = memref.get_global @weights : memref<4xi8>
    memref.copy %c, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// A branch result becomes a copy in each arm; the other arm may leave anything in
// what the program leaves undefined.
func.func @moved_into_arms(%f: memref<i1, #luna.memory<psram>>, %x: memref<1xi8, #luna.memory<psram>>, %y: memref<1xi8, #luna.memory<psram>>, %z: memref<1xi8, #luna.memory<psram>>) {
  %b = memref.load %f[] : memref<i1, #luna.memory<psram>>
  scf.if %b {
    memref.copy %x, %z : memref<1xi8, #luna.memory<psram>> to memref<1xi8, #luna.memory<psram>>
  } else {
    memref.copy %y, %z : memref<1xi8, #luna.memory<psram>> to memref<1xi8, #luna.memory<psram>>
  }
  return
}
luna.program @p {
  func.func @moved_into_arms(%f: memref<i1>, %x: memref<1xi8>, %y: memref<1xi8>, %z: memref<1xi8>) {
    %b = memref.load %f[] : memref<i1>
    %r = scf.if %b -> (memref<1xi8>) {
      %unused = memref.alloc() : memref<16xi8>
      scf.yield %x : memref<1xi8>
    } else {
      %other = memref.alloc() : memref<8xi8>
      scf.yield %y : memref<1xi8>
    }
    memref.copy %r, %z : memref<1xi8> to memref<1xi8>
    return
  }
}

// -----

// What a loop carries by a new buffer in each turn stays in one place.
func.func @carried(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
  memref.copy %x, %a : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<shared>>
  scf.for %i = %c0 to %c4 step %c1 {
    %n = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
    luna.add ins(%a, %a : memref<4xi8, #luna.memory<shared>>, memref<4xi8, #luna.memory<shared>>) outs(%n : memref<4xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = shift>}
    memref.copy %n, %a : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<shared>>
  }
  memref.copy %a, %y : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
  return
}
luna.program @p {
  func.func @carried(%x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %x) -> (memref<4xi8>) {
      %n = memref.alloc() : memref<4xi8>
      luna.add ins(%v, %v : memref<4xi8>, memref<4xi8>) outs(%n : memref<4xi8>) {requant = #luna.requant<mode = shift>}
      scf.yield %n : memref<4xi8>
    }
    memref.copy %r, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// A buffer of many pages, written in columns and read in rows.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @across_pages(%x: memref<96x64xi8, #p>, %y: memref<96x128xi8, #p>) attributes {luna.arena_bytes = 13312} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 1024, kind = tensor>} : memref<96x128xi8, #s>
  %left = memref.subview %a[0, 0] [96, 64] [1, 1] : memref<96x128xi8, #s> to memref<96x64xi8, strided<[128, 1]>, #s>
  %right = memref.subview %a[0, 64] [96, 64] [1, 1] : memref<96x128xi8, #s> to memref<96x64xi8, strided<[128, 1], offset: 64>, #s>
  memref.copy %x, %right : memref<96x64xi8, #p> to memref<96x64xi8, strided<[128, 1], offset: 64>, #s>
  memref.copy %x, %left : memref<96x64xi8, #p> to memref<96x64xi8, strided<[128, 1]>, #s>
  memref.copy %a, %y : memref<96x128xi8, #s> to memref<96x128xi8, #p>
  return
}
luna.program @across_pages.program {
  func.func @across_pages(%x: memref<96x64xi8>, %y: memref<96x128xi8>) {
    %a = memref.alloc() : memref<96x128xi8>
    %left = memref.subview %a[0, 0] [96, 64] [1, 1] : memref<96x128xi8> to memref<96x64xi8, strided<[128, 1]>>
    %right = memref.subview %a[0, 64] [96, 64] [1, 1] : memref<96x128xi8> to memref<96x64xi8, strided<[128, 1], offset: 64>>
    memref.copy %x, %left : memref<96x64xi8> to memref<96x64xi8, strided<[128, 1]>>
    memref.copy %x, %right : memref<96x64xi8> to memref<96x64xi8, strided<[128, 1], offset: 64>>
    memref.copy %a, %y : memref<96x128xi8> to memref<96x128xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>

// Until the test of the loop is known to vary, the plan carries one memref, and
// the program several. Both loops start over then.
func.func @starts_over(%c: i1, %n: memref<i1, #p>, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>, %w: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.while (%b = %c, %f = %true, %m = %x) : (i1, i1, memref<4xi8, #p>) -> (i1, memref<4xi8, #p>) {
    scf.condition(%b) %f, %m : i1, memref<4xi8, #p>
  } do {
  ^bb0(%f: i1, %m: memref<4xi8, #p>):
    %s = scf.if %f -> memref<4xi8, #p> {
      scf.yield %m : memref<4xi8, #p>
    } else {
      scf.for %i = %c0 to %c3 step %c1 {
        memref.copy %m, %w : memref<4xi8, #p> to memref<4xi8, #p>
      }
      scf.yield %y : memref<4xi8, #p>
    }
    %next = memref.load %n[] : memref<i1, #p>
    scf.yield %next, %false, %s : i1, i1, memref<4xi8, #p>
  }
  memref.copy %r#1, %z : memref<4xi8, #p> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @starts_over(%c: i1, %n: memref<i1>, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>, %w: memref<4xi8>) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r:2 = scf.while (%b = %c, %f = %true, %m = %x) : (i1, i1, memref<4xi8>) -> (i1, memref<4xi8>) {
      scf.condition(%b) %f, %m : i1, memref<4xi8>
    } do {
    ^bb0(%f: i1, %m: memref<4xi8>):
      %s = scf.if %f -> memref<4xi8> {
        scf.yield %m : memref<4xi8>
      } else {
        scf.for %i = %c0 to %c3 step %c1 {
          memref.copy %m, %w : memref<4xi8> to memref<4xi8>
        }
        scf.yield %y : memref<4xi8>
      }
      %next = memref.load %n[] : memref<i1>
      %t = memref.alloc() : memref<4xi8>
      memref.copy %s, %t : memref<4xi8> to memref<4xi8>
      scf.yield %next, %false, %t : i1, i1, memref<4xi8>
    }
    memref.copy %r#1, %z : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#map = affine_map<(d0) -> (d0)>

// The loop in a branch ends: behind it, only the condition of the branch counts.
func.func @after_a_loop(%c: i1, %n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %u: memref<4xi8, #p>, %v: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %s:2 = scf.if %c -> (memref<4xi8, #p>, memref<4xi8, #p>) {
    memref.copy %x, %u : memref<4xi8, #p> to memref<4xi8, #p>
    scf.yield %u, %v : memref<4xi8, #p>, memref<4xi8, #p>
  } else {
    memref.copy %y, %v : memref<4xi8, #p> to memref<4xi8, #p>
    %r = scf.while (%i = %c0) : (index) -> index {
      %b = arith.cmpi slt, %i, %n : index
      scf.condition(%b) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    scf.yield %v, %u : memref<4xi8, #p>, memref<4xi8, #p>
  }
  memref.copy %s#0, %s#1 : memref<4xi8, #p> to memref<4xi8, #p>
  memref.copy %s#0, %s#0 : memref<4xi8, #p> to memref<4xi8, #p>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : i8) outs(%s#0 : memref<4xi8, #p>)
    linalg.fill ins(%one : i8) outs(%s#1 : memref<4xi8, #p>)
  }
  %t:2 = scf.if %c -> (memref<4xi8, #p>, memref<4xi8, #p>) {
    scf.yield %u, %v : memref<4xi8, #p>, memref<4xi8, #p>
  } else {
    scf.yield %v, %u : memref<4xi8, #p>, memref<4xi8, #p>
  }
  memref.copy %t#0, %x : memref<4xi8, #p> to memref<4xi8, #p>
  memref.copy %t#1, %y : memref<4xi8, #p> to memref<4xi8, #p>
  linalg.fill ins(%zero : i8) outs(%u : memref<4xi8, #p>)
  linalg.fill ins(%zero : i8) outs(%v : memref<4xi8, #p>)
  return
}
luna.program @p {
  func.func @after_a_loop(%c: i1, %n: index, %x: memref<4xi8>, %y: memref<4xi8>, %u: memref<4xi8>, %v: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i8
    %one = arith.constant 1 : i8
    %s = scf.if %c -> memref<4xi8> {
      scf.yield %x : memref<4xi8>
    } else {
      %r = scf.while (%i = %c0) : (index) -> index {
        %b = arith.cmpi slt, %i, %n : index
        scf.condition(%b) %i : index
      } do {
      ^bb0(%i: index):
        %next = arith.addi %i, %c1 : index
        scf.yield %next : index
      }
      scf.yield %y : memref<4xi8>
    }
    %a = memref.alloc() : memref<4xi8>
    memref.copy %s, %a : memref<4xi8> to memref<4xi8>
    %b = memref.alloc() : memref<4xi8>
    memref.copy %s, %b : memref<4xi8> to memref<4xi8>
    scf.for %i = %c0 to %n step %c1 {
      linalg.fill ins(%zero : i8) outs(%a : memref<4xi8>)
      linalg.fill ins(%one : i8) outs(%b : memref<4xi8>)
    }
    memref.copy %a, %x : memref<4xi8> to memref<4xi8>
    memref.copy %b, %y : memref<4xi8> to memref<4xi8>
    linalg.fill ins(%zero : i8) outs(%u : memref<4xi8>)
    linalg.fill ins(%zero : i8) outs(%v : memref<4xi8>)
    return
  }
}

// -----

#p = #luna.memory<psram>

// The first test compares a value with itself: the loop has no iteration.
func.func @compares_with_itself(%n: index, %x: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %n) : (index) -> index {
    %b = arith.cmpi slt, %i, %n : index
    scf.condition(%b) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}
luna.program @p {
  func.func @compares_with_itself(%n: index, %x: memref<4xi8>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : i8
    %r = scf.while (%i = %n) : (index) -> index {
      %b = arith.cmpi slt, %i, %n : index
      scf.condition(%b) %i : index
    } do {
    ^bb0(%i: index):
      linalg.fill ins(%c0 : i8) outs(%x : memref<4xi8>)
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    return
  }
}

// -----

#p = #luna.memory<psram>

// Where the condition does not hold, the loop has no iteration: what the back
// edge carries there does not count.
func.func @never_carried(%c: i1, %n: memref<i1, #p>, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %s = arith.select %c, %x, %y : memref<4xi8, #p>
  %r = scf.while (%b = %c, %m = %s) : (i1, memref<4xi8, #p>) -> memref<4xi8, #p> {
    scf.condition(%b) %m : memref<4xi8, #p>
  } do {
  ^bb0(%m: memref<4xi8, #p>):
    %next = memref.load %n[] : memref<i1, #p>
    %t = arith.select %c, %y, %x : memref<4xi8, #p>
    scf.yield %next, %t : i1, memref<4xi8, #p>
  }
  memref.copy %r, %z : memref<4xi8, #p> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @never_carried(%c: i1, %n: memref<i1>, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    %s = arith.select %c, %x, %y : memref<4xi8>
    %r = scf.while (%b = %c, %m = %s) : (i1, memref<4xi8>) -> memref<4xi8> {
      scf.condition(%b) %m : memref<4xi8>
    } do {
    ^bb0(%m: memref<4xi8>):
      %next = memref.load %n[] : memref<i1>
      scf.yield %next, %y : i1, memref<4xi8>
    }
    memref.copy %r, %z : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// Channels as planes: the copy, a part that is overwritten, and elements of four
// bytes, in the order of the elements.
func.func @planes(%x: memref<3x2x2xi32, #luna.memory<psram>>, %z: memref<2x2xi32, #luna.memory<psram>>, %y: memref<3x2x2xi32, #luna.memory<psram>>) attributes {luna.arena_bytes = 48 : i64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<3x2x2xi32, strided<[2, 1, 6]>, #luna.memory<shared>>
  memref.copy %x, %a : memref<3x2x2xi32, #luna.memory<psram>> to memref<3x2x2xi32, strided<[2, 1, 6]>, #luna.memory<shared>>
  %row = memref.subview %a[1, 0, 0] [1, 2, 2] [1, 1, 1] : memref<3x2x2xi32, strided<[2, 1, 6]>, #luna.memory<shared>> to memref<2x2xi32, strided<[1, 6], offset: 2>, #luna.memory<shared>>
  memref.copy %z, %row : memref<2x2xi32, #luna.memory<psram>> to memref<2x2xi32, strided<[1, 6], offset: 2>, #luna.memory<shared>>
  memref.copy %a, %y : memref<3x2x2xi32, strided<[2, 1, 6]>, #luna.memory<shared>> to memref<3x2x2xi32, #luna.memory<psram>>
  return
}
luna.program @p {
  func.func @planes(%x: memref<3x2x2xi32>, %z: memref<2x2xi32>, %y: memref<3x2x2xi32>) {
    memref.copy %x, %y : memref<3x2x2xi32> to memref<3x2x2xi32>
    %row = memref.subview %y[1, 0, 0] [1, 2, 2] [1, 1, 1] : memref<3x2x2xi32> to memref<2x2xi32, strided<[2, 1], offset: 4>>
    memref.copy %z, %row : memref<2x2xi32> to memref<2x2xi32, strided<[2, 1], offset: 4>>
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// A write through a memref that is one of two that loops carry is one to the
// other where the condition does not hold: neither makes the other unknown.
func.func @writes_one_of_two_names(%c: i1, %n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %k: memref<4xi8, #p>, %o: memref<4xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #s>
  memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
  memref.copy %y, %b : memref<4xi8, #p> to memref<4xi8, #s>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q0 = %a, %q1 = %b) -> (memref<4xi8, #s>, memref<4xi8, #s>) {
    %e:2 = scf.for %j = %c0 to %n step %c1 iter_args(%r0 = %q0, %r1 = %q1) -> (memref<4xi8, #s>, memref<4xi8, #s>) {
      scf.yield %r1, %r0 : memref<4xi8, #s>, memref<4xi8, #s>
    }
    %t0 = arith.select %c, %e#0, %q0 : memref<4xi8, #s>
    %t1 = arith.select %c, %e#1, %q1 : memref<4xi8, #s>
    memref.copy %k, %t0 : memref<4xi8, #p> to memref<4xi8, #s>
    scf.yield %t1, %t0 : memref<4xi8, #s>, memref<4xi8, #s>
  }
  memref.copy %r#1, %o : memref<4xi8, #s> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @writes_one_of_two_names(%c: i1, %n: index, %x: memref<4xi8>, %y: memref<4xi8>, %k: memref<4xi8>, %o: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q0 = %x, %q1 = %y) -> (memref<4xi8>, memref<4xi8>) {
      %e:2 = scf.for %j = %c0 to %n step %c1 iter_args(%r0 = %q0, %r1 = %q1) -> (memref<4xi8>, memref<4xi8>) {
        scf.yield %r1, %r0 : memref<4xi8>, memref<4xi8>
      }
      %t1 = arith.select %c, %e#1, %q1 : memref<4xi8>
      scf.yield %t1, %k : memref<4xi8>, memref<4xi8>
    }
    memref.copy %r#1, %o : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// The condition by which an inner loop is split is another one in each iteration
// of the outer loop: what was found under the last one is not where it begins.
func.func @inner_choice_of_the_outer_loop(%c: i1, %n: index, %l: memref<i1, #p>, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %k: memref<4xi8, #p>, %o: memref<4xi8, #p>) attributes {luna.arena_bytes = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #s>
  memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
  memref.copy %y, %b : memref<4xi8, #p> to memref<4xi8, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %c) -> i1 {
    %v = arith.select %g, %a, %b : memref<4xi8, #s>
    scf.for %j = %c0 to %n step %c1 {
      memref.copy %k, %v : memref<4xi8, #p> to memref<4xi8, #s>
    }
    %next = memref.load %l[] : memref<i1, #p>
    scf.yield %next : i1
  }
  memref.copy %a, %o : memref<4xi8, #s> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @inner_choice_of_the_outer_loop(%c: i1, %n: index, %l: memref<i1>, %x: memref<4xi8>, %y: memref<4xi8>, %k: memref<4xi8>, %o: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<4xi8>
    %b = memref.alloc() : memref<4xi8>
    memref.copy %x, %a : memref<4xi8> to memref<4xi8>
    memref.copy %y, %b : memref<4xi8> to memref<4xi8>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %c) -> i1 {
      %v = arith.select %g, %a, %b : memref<4xi8>
      %t = memref.alloc() : memref<4xi8>
      memref.copy %v, %t : memref<4xi8> to memref<4xi8>
      scf.for %j = %c0 to %n step %c1 {
        memref.copy %k, %t : memref<4xi8> to memref<4xi8>
      }
      memref.copy %t, %v : memref<4xi8> to memref<4xi8>
      %next = memref.load %l[] : memref<i1>
      scf.yield %next : i1
    }
    memref.copy %a, %o : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>

// Behind the loops the condition does not hold, since the inner one came to an
// end.
func.func @ended(%c: i1, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) {
  scf.while : () -> () {
    scf.while : () -> () {
      scf.condition(%c)
    } do {
      scf.yield
    }
    scf.condition(%c)
  } do {
    scf.yield
  }
  %s = arith.select %c, %x, %y : memref<4xi8, #p>
  memref.copy %s, %z : memref<4xi8, #p> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @ended(%c: i1, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    %s = scf.if %c -> memref<4xi8> {
      scf.yield %x : memref<4xi8>
    } else {
      scf.yield %y : memref<4xi8>
    }
    %r = scf.while (%a = %s) : (memref<4xi8>) -> memref<4xi8> {
      %t = scf.while (%b = %s) : (memref<4xi8>) -> memref<4xi8> {
        scf.condition(%c) %b : memref<4xi8>
      } do {
      ^bb0(%d: memref<4xi8>):
        scf.yield %d : memref<4xi8>
      }
      scf.condition(%c) %t : memref<4xi8>
    } do {
    ^bb0(%e: memref<4xi8>):
      scf.yield %s : memref<4xi8>
    }
    memref.copy %r, %z : memref<4xi8> to memref<4xi8>
    return
  }
}
