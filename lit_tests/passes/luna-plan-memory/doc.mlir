// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory))' | FileCheck %s

func.func @main(%c: i1, %x: memref<64xi8>) {
  scf.if %c {
    %a = memref.alloc() : memref<64xi8>
    memref.copy %x, %a : memref<64xi8> to memref<64xi8>
    memref.copy %a, %x : memref<64xi8> to memref<64xi8>
  } else {
    %b = memref.alloc() : memref<64xi8>
    memref.copy %x, %b : memref<64xi8> to memref<64xi8>
    memref.copy %b, %x : memref<64xi8> to memref<64xi8>
  }
  return
}

// Only one branch runs: both buffers lie at offset 0.
// CHECK: luna.arena_bytes = 64 : i64
// CHECK: memref.alloc() {luna.place = #luna.place<id = {{[0-9]+}}, offset = 0,
// CHECK: memref.alloc() {luna.place = #luna.place<id = {{[0-9]+}}, offset = 0,
