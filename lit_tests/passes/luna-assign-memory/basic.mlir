// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-assign-memory)' | FileCheck %s

// Weights and arguments lie in PSRAM; the input is copied on chip right before
// its first use, the condition is read where it is.

// CHECK: memref.global "private" constant @w : memref<16xi8, #luna.memory<psram>>
memref.global "private" constant @w : memref<16xi8> = dense<1>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<16xi8, #luna.memory<psram>>,
// CHECK-SAME: %[[C:.*]]: memref<i1, #luna.memory<psram>>,
// CHECK-SAME: %[[Y:.*]]: memref<16xi8, #luna.memory<psram>>
func.func @main(%x: memref<16xi8>, %c: memref<i1>, %y: memref<16xi8>) {
  // CHECK: memref.get_global @w : memref<16xi8, #luna.memory<psram>>
  %w = memref.get_global @w : memref<16xi8>
  // CHECK: memref.load %[[C]][] : memref<i1, #luna.memory<psram>>
  %cond = memref.load %c[] : memref<i1>
  // CHECK: %[[A:.*]] = memref.alloc() : memref<16xi8, #luna.memory<shared>>
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xi8>
  // CHECK-NOT: memref.copy
  // CHECK: scf.if
  scf.if %cond {
    // CHECK: %[[IN:.*]] = memref.alloc() {luna.kind = "input"} : memref<16xi8, #luna.memory<shared>>
    // CHECK: memref.copy %[[X]], %[[IN]]
    // CHECK: linalg.map
    // CHECK-SAME: ins(%[[IN]], %{{.*}} :
    linalg.map {arith.addi} ins(%x, %w : memref<16xi8>, memref<16xi8>) outs(%a : memref<16xi8>)
  } else {
    // CHECK: %[[IN2:.*]] = memref.alloc() {luna.kind = "input"}
    // CHECK: memref.copy %[[X]], %[[IN2]]
    // CHECK: linalg.map
    // CHECK-SAME: ins(%[[IN2]], %{{.*}} :
    linalg.map {arith.subi} ins(%x, %w : memref<16xi8>, memref<16xi8>) outs(%a : memref<16xi8>)
  }
  // CHECK: memref.copy %[[A]], %[[Y]]
  memref.copy %a, %y : memref<16xi8> to memref<16xi8>
  return
}
