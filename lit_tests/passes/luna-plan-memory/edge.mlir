// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory{capacity-bytes=64}))' | FileCheck %s

// Exactly full.
// CHECK-LABEL: func.func @full
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @full(%x: memref<32xi8>) {
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<32xi8>
  memref.copy %x, %a : memref<32xi8> to memref<32xi8>
  memref.copy %a, %b : memref<32xi8> to memref<32xi8>
  memref.copy %b, %x : memref<32xi8> to memref<32xi8>
  return
}

// -----

// Nothing to plan.
// CHECK-LABEL: func.func @nothing
// CHECK-SAME: luna.arena_bytes = 0 : i64
func.func @nothing(%x: memref<32xi8>) {
  return
}

// -----

// Offsets are multiples of 16 (machine venus), also after an odd size.
// CHECK-LABEL: func.func @aligned
func.func @aligned(%x: memref<3xi8>) {
  // CHECK-DAG: luna.place = #luna.place<id = {{[0-9]+}}, offset = 0,
  // CHECK-DAG: luna.place = #luna.place<id = {{[0-9]+}}, offset = 16,
  %a = memref.alloc() : memref<3xi8>
  %b = memref.alloc() : memref<3xi8>
  memref.copy %x, %a : memref<3xi8> to memref<3xi8>
  memref.copy %a, %b : memref<3xi8> to memref<3xi8>
  memref.copy %b, %x : memref<3xi8> to memref<3xi8>
  return
}

// -----

// PSRAM is not planned here.
// CHECK-LABEL: func.func @psram
// CHECK-SAME: luna.arena_bytes = 0 : i64
func.func @psram() {
  // CHECK: memref.alloc() : memref<1000xi8, #luna.memory<psram>>
  %a = memref.alloc() : memref<1000xi8, #luna.memory<psram>>
  return
}

// -----

// A transfer's target is live from its start, its source up to its wait.
// CHECK-LABEL: func.func @in_flight
// CHECK-SAME: luna.arena_bytes = 64 : i64
func.func @in_flight(%x: memref<32xi8, #luna.memory<psram>>, %y: memref<32xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<32xi8, #luna.memory<shared>>
  %b = memref.alloc() : memref<32xi8, #luna.memory<shared>>
  %t = luna.dma_start %x to %a : memref<32xi8, #luna.memory<psram>> to memref<32xi8, #luna.memory<shared>>
  %k = arith.constant 1 : i8
  linalg.fill ins(%k : i8) outs(%b : memref<32xi8, #luna.memory<shared>>)
  luna.dma_wait %t
  %u = luna.dma_start %b to %y : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<psram>>
  luna.dma_wait %u
  return
}
