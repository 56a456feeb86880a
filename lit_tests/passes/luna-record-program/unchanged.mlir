// RUN: luna-opt %s | sed '/^}/,$d' > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-record-program)' | sed '/luna.program/,$d' > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.after

// Functions and constants stay as they were, in front of the records.
// CHECK: memref.global "private" constant @c
// CHECK: func.func private @declared
// CHECK: func.func @main
// CHECK: return
memref.global "private" constant @c : memref<4xi8> = dense<[1, 2, 3, 4]>
func.func private @declared(memref<4xi8>)
func.func @main(%y: memref<4xi8>) {
  %c = memref.get_global @c : memref<4xi8>
  memref.copy %c, %y : memref<4xi8> to memref<4xi8>
  return
}
