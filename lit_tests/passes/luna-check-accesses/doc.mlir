// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-accesses))' | FileCheck %s

// An index that data gives is checked before the access.

// CHECK-LABEL: func.func @pick
// CHECK: %[[END:.*]] = arith.constant 8 : index
// CHECK: %[[OK:.*]] = arith.cmpi ult, %[[I:.*]], %[[END]] : index
// CHECK: cf.assert %[[OK]], "{{.*}}doc.mlir:[[#@LINE+3]]:8: operator 'memref.load': index out of bounds"
// CHECK: memref.load %{{.*}}[%[[I]]]
func.func @pick(%x: memref<8xi8>, %i: index, %out: memref<i8>) {
  %v = memref.load %x[%i] : memref<8xi8>
  memref.store %v, %out[] : memref<i8>
  return
}
