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
