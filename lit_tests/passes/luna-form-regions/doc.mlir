// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions))' | FileCheck %s

func.func @main(%c: memref<i1>, %a: memref<4xi8>, %b: memref<4xi8>) {
  %m = memref.alloc() : memref<4xi8>
  memref.copy %a, %m : memref<4xi8> to memref<4xi8>
  %cond = memref.load %c[] : memref<i1>
  scf.if %cond {
    memref.copy %m, %b : memref<4xi8> to memref<4xi8>
  }
  return
}

// CHECK: %[[R:.*]]:2 = luna.region 0 -> memref<4xi8>, i1 {
// CHECK:   luna.yield
// CHECK: scf.if %[[R]]#1 {
// CHECK:   luna.label "if0"
// CHECK:   luna.region 1 {
// CHECK:     memref.copy %[[R]]#0
