// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=24576}))' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=20480},luna-form-regions,luna-order{steps=0},luna-plan-memory{capacity-bytes=20480}))' | FileCheck %s --check-prefix=SOME
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=20479}))' | FileCheck %s --check-prefix=SOME

// Two values are shifted. With all copies exchanged, the buffer of the new one
// stays occupied beside the one that is computed at the end of a turn. Where
// that is too much, the value that is passed on exchanges its buffer, and only
// the new one is copied; where nothing fits, too.
func.func @main(%n: index, %in: memref<64x64xi8>, %out: memref<3x64x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v0 = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%v0 : memref<64x64xi8>) permutation = [1, 0]
  %v1 = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%v1 : memref<64x64xi8>) permutation = [1, 0]
  // ALL: scf.for {{.*}} iter_args(%[[B:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}})
  // ALL-NOT: memref.copy
  // ALL: linalg.broadcast ins(%[[B]]
  // ALL: scf.yield %[[C]], %[[B]], %[[A]]
  // SOME: scf.for {{.*}} iter_args(%[[B:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}})
  // SOME: linalg.transpose ins(%[[A]] {{.*}} outs(%[[Y:.*]] :
  // SOME: memref.copy %[[Y]], %[[A]]
  // SOME-NOT: memref.copy
  // SOME: linalg.broadcast ins(%[[B]]
  // SOME: scf.yield %[[A]], %[[B]]
  scf.for %i = %c0 to %n step %c1 {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v0 : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    memref.copy %v1, %v0 : memref<64x64xi8> to memref<64x64xi8>
    memref.copy %y, %v1 : memref<64x64xi8> to memref<64x64xi8>
    %b = memref.alloc() : memref<3x64x64xi8>
    linalg.broadcast ins(%v0 : memref<64x64xi8>) outs(%b : memref<3x64x64xi8>) dimensions = [0]
    linalg.transpose ins(%b : memref<3x64x64xi8>) outs(%out : memref<3x64x64xi8>) permutation = [0, 2, 1]
  }
  return
}
