// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{layout=calls})' | FileCheck %s

#s = #luna.memory<shared>
!planes = memref<1x32x32x16xi8, strided<[16384, 32, 1, 1024]>, #s>
!rows = memref<1x32x32x16xi8, #s>

// One of two operands beside planes, and a result that is none: the unit
// computes such a sum alone of operands that lie alike.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<1x32x32x16xi8, strided{{.*}}, %[[Y:[a-z0-9]*]]: memref<1x32x32x16xi8, #luna.memory<shared>>, %[[Z:[a-z0-9]*]]:
// CHECK: %[[RHS:.*]] = memref.alloc() : memref<1x32x32x16xi8, strided<[16384, 32, 1, 1024]>
// CHECK: memref.copy %[[Y]], %[[RHS]]
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<1x32x32x16xi8, strided<[16384, 32, 1, 1024]>
// CHECK: luna.add ins(%[[X]], %[[RHS]] {{.*}} outs(%[[OUT]] :
// CHECK: memref.copy %[[OUT]], %[[Z]]
func.func @sum(%x: !planes, %y: !rows, %z: !rows) {
  luna.add ins(%x, %y : !planes, !rows) outs(%z : !rows)
      {lhs_zp = 3 : i32, lhs_multiplier = 1600000000 : i32, lhs_shift = 12 : i32, rhs_zp = 4 : i32, rhs_multiplier = 1500000000 : i32, rhs_shift = 11 : i32, input_rounding = 1 : i32,
       requant = #luna.requant<mode = multiplier, rounding = double, multiplier = 1400000000, shift = 49, zero_point = 5>}
  return
}

// A pooling has planes on both sides.
// CHECK-LABEL: func.func @pool(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<1x32x32x16xi8, strided{{.*}}, %[[Y:[a-z0-9]*]]:
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<1x16x16x16xi8, strided<[4096, 16, 1, 256]>
// CHECK: luna.max_pool2d ins(%[[X]] {{.*}}) outs(%[[OUT]] :
// CHECK: memref.copy %[[OUT]], %[[Y]]
func.func @pool(%x: !planes, %y: memref<1x16x16x16xi8, #s>) {
  luna.max_pool2d ins(%x : !planes) outs(%y : memref<1x16x16x16xi8, #s>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  return
}

// A vector call repeats nothing: the core scales each channel by its own factor.
// CHECK-LABEL: func.func @factors(
// CHECK-NOT: memref.copy
// CHECK: luna.mul {{.*}}{on_core, requant
func.func @factors(%x: !planes, %y: memref<1x1x1x16xi8, #s>, %z: !planes) {
  luna.mul ins(%x, %y : !planes, memref<1x1x1x16xi8, #s>) outs(%z : !planes) {requant = #luna.requant<mode = shift, shift = 7>}
  return
}
