// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=14655}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=14656}))' | FileCheck %s --check-prefix=FITS
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=14655},luna-form-regions,luna-insert-dma{mode=sync},luna-order{steps=0},luna-plan-memory{capacity-bytes=14655}))' | FileCheck %s --check-prefix=PLAN

// One of two values is copied. The second branch takes longer, so the first one
// copies where it may; but the copy and the weights beside it, 2368 bytes, do
// not fit then.
// CHECK: scf.if
// CHECK-NOT: memref.copy {{.*}}i8>{{$}}
// CHECK: else
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<1x16x16x16xi8> to memref<1x16x16x16xi8>{{$}}
// FITS: scf.if
// FITS: memref.copy %{{.*}}, %{{.*}} : memref<1x16x16x16xi8> to memref<1x16x16x16xi8>{{$}}
// FITS: else
// PLAN: luna.arena_bytes = 12288
#p = #luna.memory<psram>
memref.global "private" constant @params0 : memref<2368xi8, #p> = dense<1>
func.func @main(%f: i1, %in: memref<1x16x16x16xi8, #p>, %out: memref<1x16x16x16xi8, #p>, %more: memref<1x16x16x16xi8, #p>) {
  %c0 = arith.constant 0 : index
  %c2304 = arith.constant 2304 : index
  %x = memref.alloc() : memref<1x16x16x16xi8>
  memref.copy %in, %x : memref<1x16x16x16xi8, #p> to memref<1x16x16x16xi8>
  %a = memref.alloc() : memref<1x16x16x16xi8>
  luna.max_pool2d ins(%x : memref<1x16x16x16xi8>) outs(%a : memref<1x16x16x16xi8>) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
  %b = memref.alloc() : memref<1x16x16x16xi8>
  luna.max_pool2d ins(%x : memref<1x16x16x16xi8>) outs(%b : memref<1x16x16x16xi8>) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
  %r = memref.alloc() : memref<1x16x16x16xi8>
  scf.if %f {
    memref.copy %a, %r : memref<1x16x16x16xi8> to memref<1x16x16x16xi8>
    %y = memref.alloc() : memref<1x16x16x16xi8>
    %blob = memref.get_global @params0 : memref<2368xi8, #p>
    %weights = memref.view %blob[%c0][] : memref<2368xi8, #p> to memref<16x3x3x16xi8, #p>
    %bias = memref.view %blob[%c2304][] : memref<2368xi8, #p> to memref<16xi32, #p>
    luna.conv2d ins(%a, %weights : memref<1x16x16x16xi8>, memref<16x3x3x16xi8, #p>) bias(%bias : memref<16xi32, #p>) outs(%y : memref<1x16x16x16xi8>) {pad = array<i64: 1, 1, 1, 1>, params = @params0, requant = #luna.requant<mode = shift, shift = 6>}
    memref.copy %y, %more : memref<1x16x16x16xi8> to memref<1x16x16x16xi8, #p>
  } else {
    memref.copy %b, %r : memref<1x16x16x16xi8> to memref<1x16x16x16xi8>
    %y0 = memref.alloc() : memref<1x16x16x16xi8>
    luna.max_pool2d ins(%b : memref<1x16x16x16xi8>) outs(%y0 : memref<1x16x16x16xi8>) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
    %y1 = memref.alloc() : memref<1x16x16x16xi8>
    luna.max_pool2d ins(%y0 : memref<1x16x16x16xi8>) outs(%y1 : memref<1x16x16x16xi8>) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
    %y2 = memref.alloc() : memref<1x16x16x16xi8>
    luna.max_pool2d ins(%y1 : memref<1x16x16x16xi8>) outs(%y2 : memref<1x16x16x16xi8>) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
    memref.copy %y2, %more : memref<1x16x16x16xi8> to memref<1x16x16x16xi8, #p>
  }
  memref.copy %r, %out : memref<1x16x16x16xi8> to memref<1x16x16x16xi8, #p>
  return
}
