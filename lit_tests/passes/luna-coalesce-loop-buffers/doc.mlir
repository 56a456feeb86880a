// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-coalesce-loop-buffers))' | FileCheck %s

func.func @main(%x: memref<4xi8>, %y: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<4xi8>) {
    %new = memref.alloc() : memref<4xi8>
    linalg.map {arith.addi} ins(%a, %a : memref<4xi8>, memref<4xi8>) outs(%new : memref<4xi8>)
    scf.yield %new : memref<4xi8>
  }
  memref.copy %r, %y : memref<4xi8> to memref<4xi8>
  return
}

// CHECK: %[[CARRIED:.*]] = memref.alloc() : memref<4xi8>
// CHECK: memref.copy %{{.*}}, %[[CARRIED]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[CARRIED]])
// CHECK:   memref.copy %{{.*}}, %[[CARRIED]]
// CHECK:   scf.yield %[[CARRIED]]
