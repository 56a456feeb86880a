// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory{capacity-bytes=63}))'
// RUN: not luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory{strategy=luck}))' 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory{merge=all}))' 2>&1 | FileCheck %s --check-prefix=MERGE


// STRATEGY: error: unknown strategy 'luck'; 'lunac strategies' lists them
// MERGE: error: merge is 'all', allowed are path, block, linear and none

// One byte too few.
// expected-error @below {{needs 64 bytes of shared memory, machine 'venus' has 63 (1 too many)}}
// expected-note @below {{peak at memref.copy#3 on path straight; at least 64 bytes are live there}}
// expected-note @below {{live there: tensor0, 32 bytes}}
// expected-note @below {{live there: tensor1, 32 bytes}}
// expected-note @below {{the largest live sum must shrink by 1 bytes: smaller tensors at this point, or a machine with more shared memory}}
func.func @too_large(%x: memref<32xi8>) {
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<32xi8>
  memref.copy %x, %a : memref<32xi8> to memref<32xi8>
  memref.copy %a, %b : memref<32xi8> to memref<32xi8>
  memref.copy %b, %x : memref<32xi8> to memref<32xi8>
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error @below {{allocation has a dynamic shape, static ones are planned}}
  %a = memref.alloc(%n) : memref<?xi8>
  return
}

// -----

// expected-error @below {{unstructured control flow; lift it with lift-cf-to-scf first}}
func.func @unstructured(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^b
^b:
  return
}
