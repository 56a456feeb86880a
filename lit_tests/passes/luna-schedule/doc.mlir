// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

func.func @main(%f: i1, %g: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  %r = scf.if %f -> (memref<64x64xi8>) {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  %s = scf.if %g -> (memref<64x64xi8>) {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  } else {
    scf.yield %r : memref<64x64xi8>
  }
  linalg.transpose ins(%s : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: %[[FREE:.*]] = memref.alloc()
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK:   linalg.transpose ins(%[[X]] {{.*}} outs(%[[FREE]]
// CHECK:   scf.yield %[[FREE]], %[[X]]
// CHECK: else
// CHECK:   scf.yield %[[X]], %[[FREE]]
// CHECK: %[[S:.*]]:2 = scf.if
// CHECK:   linalg.transpose ins(%[[R]]#0 {{.*}} outs(%[[R]]#1
// CHECK:   scf.yield %[[R]]#1, %[[R]]#0
// CHECK: else
// CHECK:   scf.yield %[[R]]#0, %[[R]]#1
// CHECK-NOT: memref.alloc
// CHECK: linalg.transpose ins(%[[S]]#0
