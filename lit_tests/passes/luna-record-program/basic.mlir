// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-record-program)' | FileCheck %s
// Upstream's passes leave the record there.
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-record-program,canonicalize,cse,symbol-dce)' | FileCheck %s

// A record for each function, with all constants; none of a declaration.
// CHECK-NOT: luna.program @outside.program
// CHECK: luna.program @main.program {
// CHECK:   memref.global "private" constant @c : memref<4xi8> = dense<[1, 2, 3, 4]>
// CHECK:   func.func @main
// CHECK: luna.program @other.program {
// CHECK:   func.func @other
memref.global "private" constant @c : memref<4xi8> = dense<[1, 2, 3, 4]>
func.func private @outside(memref<4xi8>)
func.func @main(%y: memref<4xi8>) {
  %c = memref.get_global @c : memref<4xi8>
  memref.copy %c, %y : memref<4xi8> to memref<4xi8>
  return
}
func.func @other(%x: memref<4xi8>, %y: memref<4xi8>) {
  memref.copy %x, %y : memref<4xi8> to memref<4xi8>
  return
}
