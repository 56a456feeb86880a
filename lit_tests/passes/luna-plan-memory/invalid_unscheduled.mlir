// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory))'

// A loop that luna-schedule would make copy its values.

func.func @carried(%x: memref<32xi8>, %y: memref<32xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{carries a buffer that its body allocates; run luna-schedule first}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<32xi8>) {
    luna.label "loop0"
    %new = memref.alloc() : memref<32xi8>
    linalg.map {arith.addi} ins(%a, %a : memref<32xi8>, memref<32xi8>) outs(%new : memref<32xi8>)
    scf.yield %new : memref<32xi8>
  }
  memref.copy %r, %y : memref<32xi8> to memref<32xi8>
  return
}
