// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0}))' | FileCheck %s

// Only the attribute is new.
// CHECK-LABEL: @main
// CHECK-NEXT: %[[X:.*]] = memref.alloc() : memref<64xi8>
// CHECK-NEXT: memref.copy %{{.*}}, %[[X]]
// CHECK-NEXT: memref.copy %[[X]], %{{.*}}
// CHECK-NEXT: return
func.func @main(%in: memref<64xi8>, %out: memref<64xi8>) {
  %x = memref.alloc() : memref<64xi8>
  memref.copy %in, %x : memref<64xi8> to memref<64xi8>
  memref.copy %x, %out : memref<64xi8> to memref<64xi8>
  return
}
