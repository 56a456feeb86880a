// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=calls})' | FileCheck %s

// What no call reads or writes lies as is cheaper.
// CHECK-LABEL: func.func @floats
// CHECK-NOT: strided
// CHECK: return
func.func @floats(%y: memref<1x4x4x8xf32>) {
  %a = memref.alloc() : memref<1x4x4x8xf32>
  %b = memref.alloc() : memref<1x4x4x8xf32>
  linalg.add ins(%a, %a : memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) outs(%b : memref<1x4x4x8xf32>)
  memref.copy %b, %y : memref<1x4x4x8xf32> to memref<1x4x4x8xf32>
  return
}

// A branch merges an argument with what calls write, and the result is copied to
// one: both become planes by buffers of rows.
// CHECK-LABEL: func.func @merged
// CHECK-SAME: %[[C:.*]]: i1, %[[X:[a-z0-9]*]]: memref<1x4x4x8xi8>, %{{.*}}: memref<8x1x1x8xi8>, %[[Y:[a-z0-9]*]]: memref<1x4x4x8xi8>
// CHECK: %[[R:.*]] = scf.if %[[C]] -> (memref<1x4x4x8xi8, strided<[128, 4, 1, 16]>>) {
// CHECK: %[[A:.*]] = memref.alloc() : memref<1x4x4x8xi8, strided<[128, 4, 1, 16]>>
// CHECK: luna.conv2d ins(%[[X]]{{.*}} outs(%[[A]]
// CHECK: } else {
// CHECK: %[[PLANES:.*]] = memref.alloc() : memref<1x4x4x8xi8, strided<[128, 4, 1, 16]>>
// CHECK: %[[ROWS:.*]] = memref.alloc() : memref<1x4x4x8xi8>
// CHECK: memref.copy %[[X]], %[[ROWS]]
// CHECK: memref.copy %[[ROWS]], %[[PLANES]]
// CHECK: scf.yield %[[PLANES]]
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<1x4x4x8xi8>
// CHECK: memref.copy %[[R]], %[[OUT]]
// CHECK: memref.copy %[[OUT]], %[[Y]]
func.func @merged(%c: i1, %x: memref<1x4x4x8xi8>, %w: memref<8x1x1x8xi8>, %y: memref<1x4x4x8xi8>) {
  %r = scf.if %c -> (memref<1x4x4x8xi8>) {
    %a = memref.alloc() : memref<1x4x4x8xi8>
    luna.conv2d ins(%x, %w : memref<1x4x4x8xi8>, memref<8x1x1x8xi8>) outs(%a : memref<1x4x4x8xi8>) {requant = #luna.requant<mode = shift, shift = 4>}
    scf.yield %a : memref<1x4x4x8xi8>
  } else {
    scf.yield %x : memref<1x4x4x8xi8>
  }
  memref.copy %r, %y : memref<1x4x4x8xi8> to memref<1x4x4x8xi8>
  return
}

// One channel lies alike either way.
// CHECK-LABEL: func.func @plane
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: memref.copy %{{.*}}, %{{.*}}
// CHECK-NOT: memref.copy
// CHECK: return
func.func @plane(%x: memref<1x4x4x1xi8>, %y: memref<1x2x2x1xi8>) {
  %a = memref.alloc() : memref<1x2x2x1xi8>
  luna.max_pool2d ins(%x : memref<1x4x4x1xi8>) outs(%a : memref<1x2x2x1xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  memref.copy %a, %y : memref<1x2x2x1xi8> to memref<1x2x2x1xi8>
  return
}
