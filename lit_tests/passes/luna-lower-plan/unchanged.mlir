// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan))' | FileCheck %s

// CHECK-LABEL: func.func private @declaration()
func.func private @declaration()

// Off chip nothing is planned.
// CHECK-LABEL: func.func @psram
func.func @psram() {
  // CHECK: memref.alloc() : memref<4xi8, #luna.memory<psram>>
  %0 = memref.alloc() : memref<4xi8, #luna.memory<psram>>
  // CHECK: memref.dealloc
  memref.dealloc %0 : memref<4xi8, #luna.memory<psram>>
  return
}
