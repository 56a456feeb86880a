// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=24576}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=28672}))' | FileCheck %s --check-prefix=BOTH

// An exchange occupies one more buffer behind the branch, beside a large one.
// There is room for one: that of the loop on the slowest path, although the
// other loop copies more.
// BOTH-NOT: memref.copy
func.func @main(%f: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>, %large: memref<3x64x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %z = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%z : memref<64x64xi8>) permutation = [1, 0]
  scf.if %f {
    // CHECK: scf.for
    // CHECK: memref.copy
    scf.for %i = %c0 to %c4 step %c1 {
      %y = memref.alloc() : memref<64x64xi8>
      linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
      memref.copy %y, %x : memref<64x64xi8> to memref<64x64xi8>
    }
  } else {
    // CHECK: else
    // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
    // CHECK-NOT: memref.copy
    // CHECK: scf.yield %[[B]], %[[A]]
    scf.for %i = %c0 to %c2 step %c1 {
      %y = memref.alloc() : memref<64x64xi8>
      linalg.transpose ins(%z : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
      memref.copy %y, %z : memref<64x64xi8> to memref<64x64xi8>
    }
    // CHECK: scf.for
    scf.for %i = %c0 to %c20 step %c1 {
      linalg.transpose ins(%z : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
    }
  }
  %b = memref.alloc() : memref<3x64x64xi8>
  linalg.broadcast ins(%x : memref<64x64xi8>) outs(%b : memref<3x64x64xi8>) dimensions = [0]
  linalg.transpose ins(%b : memref<3x64x64xi8>) outs(%large : memref<3x64x64xi8>) permutation = [0, 2, 1]
  linalg.transpose ins(%x : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%z : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}
