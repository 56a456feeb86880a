// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-choose-transfers))' | FileCheck %s

// CHECK: func.func private @declaration(memref<4xi8>)
func.func private @declaration(memref<4xi8>)

// What needs no transfer gets none, nor staging: the body is what it was, but
// for the place of its buffer.
// CHECK-LABEL: func.func @on_chip
// CHECK-SAME: staging_bytes = 0
// CHECK-NEXT: luna.region 0 {
// CHECK-NEXT: %[[A:.*]] = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor
// CHECK-NEXT: memref.copy %{{.*}}, %[[A]]
// CHECK-NEXT: memref.copy %[[A]], %{{.*}}
// CHECK-NEXT: luna.yield
func.func @on_chip(%x: memref<16xi8, #luna.memory<shared>>) {
  luna.region 0 {
    %a = memref.alloc() : memref<16xi8, #luna.memory<shared>>
    memref.copy %x, %a : memref<16xi8, #luna.memory<shared>> to memref<16xi8, #luna.memory<shared>>
    memref.copy %a, %x : memref<16xi8, #luna.memory<shared>> to memref<16xi8, #luna.memory<shared>>
    luna.yield
  }
  return
}
