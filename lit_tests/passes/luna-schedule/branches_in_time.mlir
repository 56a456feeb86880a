// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

func.func @main(%f: i1, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  %x = memref.alloc() : memref<4x4xi8>
  memref.copy %in, %x : memref<4x4xi8> to memref<4x4xi8>
  %r = scf.if %f -> (memref<4x4xi8>) {
    %t = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%x : memref<4x4xi8>) outs(%t : memref<4x4xi8>) permutation = [1, 0]
    %y = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%t : memref<4x4xi8>) outs(%y : memref<4x4xi8>) permutation = [1, 0]
    scf.yield %y : memref<4x4xi8>
  } else {
    scf.yield %x : memref<4x4xi8>
  }
  memref.copy %r, %out : memref<4x4xi8> to memref<4x4xi8>
  return
}

// CHECK: %[[X:.*]] = memref.alloc() : memref<4x4xi8>
// CHECK: scf.if
// CHECK:   %[[T:.*]] = memref.alloc() : memref<4x4xi8>
// CHECK:   linalg.transpose ins(%[[X]] {{.*}} outs(%[[T]]
// CHECK:   linalg.transpose ins(%[[T]] {{.*}} outs(%[[X]]
// CHECK: memref.copy %[[X]], %{{.*}}
