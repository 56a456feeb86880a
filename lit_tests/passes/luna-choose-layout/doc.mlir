// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout)' | FileCheck %s

func.func @main(%x: memref<1x16x16x8xi8>, %w: memref<8x3x3x8xi8>, %t: memref<2x8xi32>, %y: memref<1x14x14x8xi8>) {
  %a = memref.alloc() : memref<1x16x16x8xi8>
  luna.conv2d ins(%x, %w : memref<1x16x16x8xi8>, memref<8x3x3x8xi8>) table(%t : memref<2x8xi32>)
      outs(%a : memref<1x16x16x8xi8>)
      {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  luna.max_pool2d ins(%a : memref<1x16x16x8xi8>) outs(%y : memref<1x14x14x8xi8>)
      {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>}
  return
}

// Each plane is requantised by one multiplier. Arguments keep their bytes.
// CHECK: func.func @main(%{{.*}}: memref<1x16x16x8xi8>, {{.*}}, %{{.*}}: memref<1x14x14x8xi8>)
// CHECK: %[[A:.*]] = memref.alloc() : memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>
// CHECK: luna.conv2d ins(%{{.*}} : memref<1x16x16x8xi8>, {{.*}} outs(%[[A]] : memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>)
// CHECK: luna.max_pool2d ins(%[[A]] : memref<1x16x16x8xi8, strided<[2048, 16, 1, 256]>>) outs(%{{.*}} : memref<1x14x14x8xi8>)
