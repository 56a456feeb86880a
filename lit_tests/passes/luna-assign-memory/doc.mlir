// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-assign-memory)' | FileCheck %s

func.func @main(%x: memref<16xi8>, %y: memref<16xi8>) {
  %a = memref.alloc() : memref<16xi8>
  linalg.map {arith.addi} ins(%x, %x : memref<16xi8>, memref<16xi8>) outs(%a : memref<16xi8>)
  memref.copy %a, %y : memref<16xi8> to memref<16xi8>
  return
}

// CHECK: func.func @main(%[[X:.*]]: memref<16xi8, #luna.memory<psram>>, %[[Y:.*]]: memref<16xi8, #luna.memory<psram>>) {
// CHECK:   %[[A:.*]] = memref.alloc() : memref<16xi8, #luna.memory<shared>>
// CHECK:   %[[IN:.*]] = memref.alloc() {luna.kind = "input"} : memref<16xi8, #luna.memory<shared>>
// CHECK:   memref.copy %[[X]], %[[IN]]
// CHECK:   linalg.map {{.*}} ins(%[[IN]], %[[IN]]
// CHECK:   memref.copy %[[A]], %[[Y]]
