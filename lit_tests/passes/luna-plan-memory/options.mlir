// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory{strategy=naive merge=none}))' | FileCheck %s --check-prefix=NAIVE
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory{strategy=large-first merge=none}))' | FileCheck %s --check-prefix=NONE
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory{strategy=large-first merge=linear}))' | FileCheck %s --check-prefix=LINEAR
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory{compare}))' | FileCheck %s --check-prefix=COMPARE

// Two branches with one buffer of 32 bytes each: 64 as if both ran, else 32.
// NAIVE: luna.arena_bytes = 64 : i64
// NONE: luna.arena_bytes = 64 : i64
// LINEAR: luna.arena_bytes = 32 : i64
// COMPARE: luna.arena_bytes = 32 : i64
// COMPARE-SAME: {merge = "none", strategy = "naive", tensor_bytes = 64 : i64, total_bytes = 64 : i64}
func.func @two(%c: i1, %x: memref<32xi8>) {
  scf.if %c {
    %a = memref.alloc() : memref<32xi8>
    memref.copy %x, %a : memref<32xi8> to memref<32xi8>
    memref.copy %a, %x : memref<32xi8> to memref<32xi8>
  } else {
    %b = memref.alloc() : memref<32xi8>
    memref.copy %x, %b : memref<32xi8> to memref<32xi8>
    memref.copy %b, %x : memref<32xi8> to memref<32xi8>
  }
  return
}
