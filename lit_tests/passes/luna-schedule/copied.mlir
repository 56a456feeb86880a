// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=16384},luna-order{steps=0},luna-plan-memory{capacity-bytes=16384}))' | FileCheck %s

// The branch that passes the value through copies it, so that it lies in one
// buffer beside the large one. That is the one that the loop carries, too.
// CHECK: luna.arena_bytes = 16384
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: %[[Y:.*]] = memref.alloc()
// CHECK: scf.if
// CHECK:   linalg.transpose ins(%[[X]] {{.*}} outs(%[[Y]]
// CHECK:   memref.copy %[[X]], %[[Y]]
// CHECK-NOT: memref.copy
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[Y]])
// CHECK:   linalg.transpose ins(%[[Y]] {{.*}} outs(%[[T:.*]] :
// CHECK:   linalg.transpose ins(%[[T]] {{.*}} outs(%[[Y]]
func.func @main(%f: i1, %n: index, %in: memref<64x64xi8>, %out: memref<64x64xi8>, %large: memref<3x64x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %r = scf.if %f -> (memref<64x64xi8>) {
    luna.label "if0"
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  } else {
    luna.label "if0"
    scf.yield %x : memref<64x64xi8>
  }
  %b = memref.alloc() : memref<3x64x64xi8>
  linalg.broadcast ins(%r : memref<64x64xi8>) outs(%b : memref<3x64x64xi8>) dimensions = [0]
  linalg.transpose ins(%b : memref<3x64x64xi8>) outs(%large : memref<3x64x64xi8>) permutation = [0, 2, 1]
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<64x64xi8>) {
    luna.label "loop0"
    %t = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%a : memref<64x64xi8>) outs(%t : memref<64x64xi8>) permutation = [1, 0]
    %z = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%t : memref<64x64xi8>) outs(%z : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %z : memref<64x64xi8>
  }
  linalg.transpose ins(%l : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}
