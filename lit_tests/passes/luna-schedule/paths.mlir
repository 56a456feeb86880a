// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=24576}))' | FileCheck %s

// One of two blocks that may be skipped has to copy where it is, neither on the
// slowest path: the second one, which fewer paths come to.
// CHECK: scf.if %arg0
// CHECK-NOT: memref.copy
// CHECK: scf.if %arg1
// CHECK: scf.if %arg2
// CHECK: else
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<1x64x64xi8> to memref<1x64x64xi8>{{$}}
// CHECK: linalg.broadcast
func.func @main(%f: i1, %g: i1, %h: i1, %in: memref<64x64xi8, #luna.memory<psram>>, %out: memref<64x64xi8, #luna.memory<psram>>, %more: memref<1x64x64xi8, #luna.memory<psram>>, %wide: memref<3x1x64x64xi8, #luna.memory<psram>>) {
  %x = memref.alloc() : memref<64x64xi8>
  memref.copy %in, %x : memref<64x64xi8, #luna.memory<psram>> to memref<64x64xi8>
  %r = scf.if %f -> memref<64x64xi8> {
    %yr = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%yr : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %yr : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  scf.if %g {
    %u = memref.alloc() : memref<1x64x64xi8>
    memref.copy %more, %u : memref<1x64x64xi8, #luna.memory<psram>> to memref<1x64x64xi8>
    %s = scf.if %h -> memref<1x64x64xi8> {
      %ys = memref.alloc() : memref<1x64x64xi8>
      linalg.transpose ins(%u : memref<1x64x64xi8>) outs(%ys : memref<1x64x64xi8>) permutation = [0, 2, 1]
      scf.yield %ys : memref<1x64x64xi8>
    } else {
      scf.yield %u : memref<1x64x64xi8>
    }
    %b = memref.alloc() : memref<3x1x64x64xi8>
    linalg.broadcast ins(%s : memref<1x64x64xi8>) outs(%b : memref<3x1x64x64xi8>) dimensions = [0]
    memref.copy %b, %wide : memref<3x1x64x64xi8> to memref<3x1x64x64xi8, #luna.memory<psram>>
  } else {
    %v = memref.alloc() : memref<64x64xi8>
    memref.copy %in, %v : memref<64x64xi8, #luna.memory<psram>> to memref<64x64xi8>
    %v0 = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v : memref<64x64xi8>) outs(%v0 : memref<64x64xi8>) permutation = [1, 0]
    %v1 = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v0 : memref<64x64xi8>) outs(%v1 : memref<64x64xi8>) permutation = [1, 0]
    %v2 = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v1 : memref<64x64xi8>) outs(%v2 : memref<64x64xi8>) permutation = [1, 0]
    %v3 = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v2 : memref<64x64xi8>) outs(%v3 : memref<64x64xi8>) permutation = [1, 0]
    %v4 = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v3 : memref<64x64xi8>) outs(%v4 : memref<64x64xi8>) permutation = [1, 0]
    %v5 = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v4 : memref<64x64xi8>) outs(%v5 : memref<64x64xi8>) permutation = [1, 0]
    %v6 = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v5 : memref<64x64xi8>) outs(%v6 : memref<64x64xi8>) permutation = [1, 0]
    %v7 = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%v6 : memref<64x64xi8>) outs(%v7 : memref<64x64xi8>) permutation = [1, 0]
    memref.copy %v7, %out : memref<64x64xi8> to memref<64x64xi8, #luna.memory<psram>>
  }
  memref.copy %r, %out : memref<64x64xi8> to memref<64x64xi8, #luna.memory<psram>>
  return
}
