// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

func.func @main(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %init : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (memref<4x4xi8>) {
    %t = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%a : memref<4x4xi8>) outs(%t : memref<4x4xi8>) permutation = [1, 0]
    %new = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%t : memref<4x4xi8>) outs(%new : memref<4x4xi8>) permutation = [1, 0]
    scf.yield %new : memref<4x4xi8>
  }
  memref.copy %r, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// The loop writes the next value where the last one is dead: without
// %new, and the copy of it that luna-schedule{only-loops=true} made.
// CHECK: %[[CARRIED:.*]] = memref.alloc() : memref<4x4xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[CARRIED]])
// CHECK:   linalg.transpose ins(%[[CARRIED]] {{.*}} outs(%[[T:.*]] :
// CHECK:   linalg.transpose ins(%[[T]] {{.*}} outs(%[[CARRIED]] :
// CHECK-NEXT: scf.yield %[[CARRIED]]
