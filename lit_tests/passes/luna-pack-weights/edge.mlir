// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(luna-pack-weights)' | FileCheck %s

// Equal constants share one blob; a taken name is passed over; constants of
// the host core stay.

// CHECK: memref.global "private" constant @params1 : memref<256xi8
// CHECK-NOT: memref.global "private" constant @params2
// CHECK: memref.global "private" constant @params0 : memref<4xi8
memref.global "private" constant @params0 : memref<4xi8, #luna.memory<psram>> = dense<9>
memref.global "private" constant @t : memref<256xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @u : memref<256xi8, #luna.memory<psram>> = dense<1>

// CHECK-LABEL: func.func @shared_blob
func.func @shared_blob(%x: memref<4xi8, #luna.memory<shared>>, %y: memref<4xi8, #luna.memory<shared>>) {
  %k = memref.get_global @params0 : memref<4xi8, #luna.memory<psram>>
  %t = memref.get_global @t : memref<256xi8, #luna.memory<psram>>
  %u = memref.get_global @u : memref<256xi8, #luna.memory<psram>>
  // CHECK: luna.table {{.*}} {params = @params1}
  luna.table ins(%x, %t : memref<4xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%y : memref<4xi8, #luna.memory<shared>>)
  // CHECK: luna.table {{.*}} {params = @params1}
  luna.table ins(%y, %u : memref<4xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<4xi8, #luna.memory<shared>>)
  // CHECK: linalg.map
  linalg.map {arith.addi} ins(%x, %k : memref<4xi8, #luna.memory<shared>>, memref<4xi8, #luna.memory<psram>>) outs(%y : memref<4xi8, #luna.memory<shared>>)
  return
}

// -----

// Without constants nothing changes.
// CHECK-LABEL: func.func @no_constants
func.func @no_constants(%x: memref<4xi8>, %y: memref<4xi8>) {
  // CHECK-NEXT: luna.add
  // CHECK-NOT: params
  luna.add ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%y : memref<4xi8>) {requant = #luna.requant<mode = shift>}
  return
}
