// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-record-program)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: luna.program @main.program {
// CHECK:   func.func @main(%[[X:.*]]: memref<4xi8>, %[[Y:.*]]: memref<4xi8>)
// CHECK:     memref.copy %[[X]], %[[Y]]
func.func @main(%x: memref<4xi8>, %y: memref<4xi8>) {
  memref.copy %x, %y : memref<4xi8> to memref<4xi8>
  return
}
