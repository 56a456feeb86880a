// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-assign-memory{io=on-chip})' | FileCheck %s
// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-assign-memory{io=flash})' 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: io is 'flash', allowed are psram and on-chip

// With io=on-chip every input, also a condition, is copied at entry.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<16xi8, #luna.memory<psram>>, %[[C:.*]]: memref<i1
func.func @main(%x: memref<16xi8>, %c: memref<i1>, %y: memref<16xi8>) {
  // CHECK-NEXT: %[[IN:.*]] = memref.alloc() {luna.kind = "input"}
  // CHECK-NEXT: memref.copy %[[X]], %[[IN]]
  // CHECK-NEXT: %[[INC:.*]] = memref.alloc() {luna.kind = "input"}
  // CHECK-NEXT: memref.copy %[[C]], %[[INC]]
  // CHECK: memref.load %[[INC]]
  %cond = memref.load %c[] : memref<i1>
  scf.if %cond {
    memref.copy %x, %y : memref<16xi8> to memref<16xi8>
  }
  return
}
