// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory))' > %t.planned
// RUN: FileCheck %s < %t.planned
// RUN: sed '/func.func/s/ attributes {.*}//' %t.planned | diff %t.before -

// Nothing on chip: an empty arena, and buffers elsewhere stay as they are.
// CHECK: luna.arena_bytes = 0
// CHECK-NOT: luna.place
func.func @main(%x: memref<16xi8, #luna.memory<psram>>) {
  luna.region 0 {
    %a = memref.alloc() : memref<16xi8, #luna.memory<psram>>
    memref.copy %x, %a : memref<16xi8, #luna.memory<psram>> to memref<16xi8, #luna.memory<psram>>
    %half = memref.subview %a[8] [8] [1] : memref<16xi8, #luna.memory<psram>> to memref<8xi8, strided<[1], offset: 8>, #luna.memory<psram>>
    memref.copy %half, %half : memref<8xi8, strided<[1], offset: 8>, #luna.memory<psram>> to memref<8xi8, strided<[1], offset: 8>, #luna.memory<psram>>
    luna.yield
  }
  return
}
