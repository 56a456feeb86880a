// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory,luna-estimate-cost))'

func.func @main(%x: memref<64xi8>, %y: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 4000000000 : index
  // expected-error @below {{takes more than 144115188075855871 cycles}}
  scf.for %i = %c0 to %many step %c1 {
    scf.for %j = %c0 to %many step %c1 {
      memref.copy %x, %y : memref<64xi8> to memref<64xi8>
    }
  }
  return
}
