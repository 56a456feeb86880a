// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{layout=calls})' | FileCheck %s

#s = #luna.memory<shared>

// One channel, and one pixel, are planes as they are; the rows of a window lie
// apart.
// CHECK-LABEL: func.func @window(
// CHECK-NEXT: %[[IN:.*]] = memref.alloc() : memref<1x5x5x1xi8, strided<[25, 5, 1, 25]>
// CHECK-NEXT: memref.copy %{{.*}}, %[[IN]]
// CHECK-NEXT: luna.conv2d ins(%[[IN]]
// CHECK-NEXT: return
!window = memref<1x5x5x1xi8, strided<[100, 10, 1, 1]>, #s>
func.func @window(%x: !window, %w: memref<6x5x5x1xi8, #s>, %y: memref<1x1x1x6xi32, #s>) {
  luna.conv2d ins(%x, %w : !window, memref<6x5x5x1xi8, #s>) outs(%y : memref<1x1x1x6xi32, #s>) {requant = #luna.requant<mode = none>}
  return
}
