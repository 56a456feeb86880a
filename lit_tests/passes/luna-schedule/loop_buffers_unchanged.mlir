// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{only-loops=true}))' > %t.after
// RUN: diff %t.before %t.after

// A loop that carries one buffer already.
func.func @one(%x: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi8>
  memref.copy %x, %a : memref<4xi8> to memref<4xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<4xi8>) {
    linalg.map {arith.addi} ins(%b, %b : memref<4xi8>, memref<4xi8>) outs(%a : memref<4xi8>)
    scf.yield %a : memref<4xi8>
  }
  memref.copy %r, %x : memref<4xi8> to memref<4xi8>
  return
}

// A loop that carries numbers, and branches.
func.func @numbers(%x: memref<4xi8>, %y: memref<4xi8>, %n: index, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
    %next = arith.addi %k, %i : index
    scf.yield %next : index
  }
  scf.if %c {
    memref.copy %x, %y : memref<4xi8> to memref<4xi8>
  }
  return %r : index
}
