// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-transpose-operands{layout=calls}))' | FileCheck %s

#s = #luna.memory<shared>
!planes = memref<1x8x8x4xi8, strided<[256, 8, 1, 64]>, #s>
!rows = memref<1x8x8x4xi8, #s>

// One of two operands beside planes, and a result that is none.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<1x8x8x4xi8, strided{{.*}}, %[[Y:[a-z0-9]*]]: memref<1x8x8x4xi8, #luna.memory<shared>>, %[[Z:[a-z0-9]*]]:
// CHECK: %[[RHS:.*]] = memref.alloc() : memref<1x8x8x4xi8, strided<[256, 8, 1, 64]>
// CHECK: memref.copy %[[Y]], %[[RHS]]
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<1x8x8x4xi8, strided<[256, 8, 1, 64]>
// CHECK: luna.add ins(%[[X]], %[[RHS]] {{.*}} outs(%[[OUT]] :
// CHECK: memref.copy %[[OUT]], %[[Z]]
func.func @sum(%x: !planes, %y: !rows, %z: !rows) {
  luna.add ins(%x, %y : !planes, !rows) outs(%z : !rows) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// CHECK-LABEL: func.func @pool(
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<1x4x4x4xi8, strided<[64, 4, 1, 16]>
// CHECK: luna.max_pool2d ins(%{{.*}} outs(%[[OUT]] :
// CHECK: memref.copy %[[OUT]]
func.func @pool(%x: !planes, %y: memref<1x4x4x4xi8, #s>) {
  luna.max_pool2d ins(%x : !planes) outs(%y : memref<1x4x4x4xi8, #s>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  return
}
