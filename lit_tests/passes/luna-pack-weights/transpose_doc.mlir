// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{layout=calls})' | FileCheck %s

// What a call reads lies as planes, and so does what it writes.
#s = #luna.memory<shared>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<1x8x8x4xi8, #luna.memory<shared>>, %{{.*}}, %[[Y:[a-z0-9]*]]: memref<1x8x8x6xi8, #luna.memory<shared>>
// CHECK: %[[IN:.*]] = memref.alloc() : memref<1x8x8x4xi8, strided<[256, 8, 1, 64]>, #luna.memory<shared>>
// CHECK: memref.copy %[[X]], %[[IN]]
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<1x8x8x6xi8, strided<[384, 8, 1, 64]>, #luna.memory<shared>>
// CHECK: luna.conv2d ins(%[[IN]], {{.*}} outs(%[[OUT]] :
// CHECK: memref.copy %[[OUT]], %[[Y]]
func.func @main(%x: memref<1x8x8x4xi8, #s>, %w: memref<6x3x3x4xi8, #s>, %y: memref<1x8x8x6xi8, #s>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x4xi8, #s>, memref<6x3x3x4xi8, #s>) outs(%y : memref<1x8x8x6xi8, #s>)
      {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  return
}
