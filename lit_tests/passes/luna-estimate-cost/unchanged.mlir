// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory))' | sed 's/ attributes {.*}//' > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory,luna-estimate-cost))' > %t.costed
// RUN: FileCheck %s < %t.costed
// RUN: sed 's/ attributes {.*}//' %t.costed > %t.after
// RUN: diff %t.before %t.after

// Attributes of the function are all that is new.
// CHECK: luna.cost
func.func @main(%c: i1, %x: memref<64xi8>, %y: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.if %c {
    memref.copy %x, %y : memref<64xi8> to memref<64xi8>
  } else {
    scf.for %i = %c0 to %c4 step %c1 {
      linalg.map {arith.addi} ins(%x, %y : memref<64xi8>, memref<64xi8>) outs(%y : memref<64xi8>)
    }
  }
  return
}
