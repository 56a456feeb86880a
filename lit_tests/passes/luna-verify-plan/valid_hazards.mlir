// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))' -o /dev/null
// Plans that trap and leave their bounds at most where the program does.

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The plan divides once more, on one path.
func.func @divides(%c: i1, %a: i32, %b: i32) attributes {luna.arena_bytes = 0} {
  %q = arith.divsi %a, %b : i32
  scf.if %c {
    %r = arith.remsi %a, %b : i32
  }
  return
}
luna.program @p {
  func.func @divides(%c: i1, %a: i32, %b: i32) {
    %q = arith.divsi %a, %b : i32
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The program divides in each branch.
func.func @divides_on_all_paths(%c: i1, %a: i32, %b: i32) attributes {luna.arena_bytes = 0} {
  %q = arith.divui %a, %b : i32
  return
}
luna.program @p {
  func.func @divides_on_all_paths(%c: i1, %a: i32, %b: i32) {
    scf.if %c {
      %q = arith.divui %a, %b : i32
    } else {
      %r = arith.remui %a, %b : i32
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// Constants divide everything.
func.func @divides_by_constant(%a: i32) attributes {luna.arena_bytes = 0} {
  %c3 = arith.constant 3 : i32
  %m = arith.constant -1 : i32
  %q = arith.divsi %a, %c3 : i32
  %r = arith.divui %a, %m : i32
  return
}
luna.program @p {
  func.func @divides_by_constant(%a: i32) {

    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The bounds of the loop keep the places, 1 and 3, in theirs.
func.func @loads(%n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c2 {
    memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
  }
  scf.for %i = %c1 to %c5 step %c2 {
    %v = memref.load %x[%i] : memref<4xi8, #p>
    %w = memref.subview %x[%i] [1] [8] : memref<4xi8, #p> to memref<1xi8, strided<[8], offset: ?>, #p>
    memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
  }
  return
}
luna.program @p {
  func.func @loads(%n: index, %x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    scf.for %i = %c0 to %c5 step %c2 {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    scf.for %i = %c1 to %c5 step %c2 {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The program stores there in the same iteration.
func.func @stores_in_loop(%n: index, %v: i8, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    memref.store %v, %y[%j] : memref<4xi8, #p>
    %w = memref.load %y[%j] : memref<4xi8, #p>
  }
  return
}
luna.program @p {
  func.func @stores_in_loop(%n: index, %v: i8, %x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %j = arith.addi %i, %c1 : index
      memref.store %v, %y[%j] : memref<4xi8>
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// The operator is executed twice.
func.func @divides_in_a_body(%v: i8, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi8, #p>) outs(%y : memref<4xi8, #p>) {
  ^bb0(%in: i8, %out: i8):
    %q = arith.divui %in, %v : i8
    linalg.yield %q : i8
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi8, #p>) outs(%y : memref<4xi8, #p>) {
  ^bb0(%in: i8, %out: i8):
    %r = arith.divui %in, %v : i8
    linalg.yield %r : i8
  }
  return
}
luna.program @p {
  func.func @divides_in_a_body(%v: i8, %x: memref<4xi8>, %y: memref<4xi8>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xi8>) outs(%y : memref<4xi8>) {
  ^bb0(%in: i8, %out: i8):
    %q = arith.divui %in, %v : i8
    linalg.yield %q : i8
  }
    return
  }
}
