// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=16384},luna-order{steps=0},luna-plan-memory{capacity-bytes=16384}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=20480}))' | FileCheck %s --check-prefix=FITS
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory{capacity-bytes=16384}))' 2>&1 | FileCheck %s --check-prefix=BEFORE

// Two buffers for the value are too many beside the one that is computed from
// it: the branch that passes it through copies it.
// CHECK: luna.arena_bytes = 16384
// BEFORE: needs 20480 bytes of shared memory
func.func @main(%f: i1, %in: memref<64x64xi8>, %out: memref<3x64x64xi8>) {
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  // CHECK: %[[Y:.*]] = memref.alloc()
  // CHECK: scf.if
  // FITS: %[[R:.*]] = scf.if
  %r = scf.if %f -> (memref<64x64xi8>) {
    luna.label "if0"
    // CHECK: linalg.transpose ins(%[[X]] {{.*}} outs(%[[Y]]
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  } else {
    luna.label "if0"
    // CHECK: memref.copy %[[X]], %[[Y]]
    // FITS-NOT: memref.copy
    scf.yield %x : memref<64x64xi8>
  }
  // CHECK: linalg.broadcast ins(%[[Y]]
  // FITS: linalg.broadcast ins(%[[R]]
  %b = memref.alloc() : memref<3x64x64xi8>
  linalg.broadcast ins(%r : memref<64x64xi8>) outs(%b : memref<3x64x64xi8>) dimensions = [0]
  linalg.transpose ins(%b : memref<3x64x64xi8>) outs(%out : memref<3x64x64xi8>) permutation = [0, 2, 1]
  return
}
