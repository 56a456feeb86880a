// What helps where a plan does not fit: options that are not in force already,
// else how much must go.

// RUN: split-file %s %t
// RUN: not luna-opt %t/weights.mlir --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory{capacity-bytes=63 merge=none}))' 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: not luna-opt %t/branches.mlir --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory{capacity-bytes=63 merge=none}))' 2>&1 | FileCheck %s --check-prefix=MERGE
// RUN: luna-opt %t/branches.mlir --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory{capacity-bytes=63 merge=path}))' -o %t.out

//--- weights.mlir
// WEIGHTS: note: the tensors alone fit: the weights of an operator at this point must shrink by 1 bytes, or split it by output channels
func.func @weights(%x: memref<32xi8>, %w: memref<32xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() {luna.kind = "staging"} : memref<32xi8>
  memref.copy %x, %a : memref<32xi8> to memref<32xi8>
  memref.copy %w, %b : memref<32xi8, #luna.memory<psram>> to memref<32xi8>
  memref.copy %b, %x : memref<32xi8> to memref<32xi8>
  memref.copy %a, %x : memref<32xi8> to memref<32xi8>
  return
}

//--- branches.mlir
// MERGE: note: the live buffers alone would fit: use merge=path
func.func @branches(%x: memref<32xi8>, %c: i1) {
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
