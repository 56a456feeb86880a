// A plan whose tensors are planar, [channel][y][x], is compared with a record of
// row-major ones byte by byte.
// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))'

func.func @planes(%arg0: memref<1x4x6x3xi8, #luna.memory<psram>>, %arg1: memref<1x4x6x3xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 152 : i64} {
  luna.region 0 {
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor, name = "tensor0">} : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>
    %x = memref.alloc() {luna.place = #luna.place<id = 1, offset = 80, kind = input, name = "input1">} : memref<1x4x6x3xi8, #luna.memory<shared>>
    %0 = luna.dma_start %arg0 to %x : memref<1x4x6x3xi8, #luna.memory<psram>> to memref<1x4x6x3xi8, #luna.memory<shared>>
    luna.dma_wait %0
    memref.copy %x, %a : memref<1x4x6x3xi8, #luna.memory<shared>> to memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>
    %b = memref.alloc() {luna.place = #luna.place<id = 2, offset = 80, kind = tensor, name = "tensor2">} : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>
    luna.max_pool2d ins(%a : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>) outs(%b : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>) {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}
    memref.copy %b, %arg1 : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>> to memref<1x4x6x3xi8, #luna.memory<psram>>
    luna.yield
  }
  return
}
luna.program @planes.program {
  func.func @planes(%arg0: memref<1x4x6x3xi8>, %arg1: memref<1x4x6x3xi8>) {
    %a = memref.alloc() : memref<1x4x6x3xi8>
    memref.copy %arg0, %a : memref<1x4x6x3xi8> to memref<1x4x6x3xi8>
    %b = memref.alloc() : memref<1x4x6x3xi8>
    luna.max_pool2d ins(%a : memref<1x4x6x3xi8>) outs(%b : memref<1x4x6x3xi8>) {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}
    memref.copy %b, %arg1 : memref<1x4x6x3xi8> to memref<1x4x6x3xi8>
    return
  }
}

// -----

// Rows and columns exchanged where the operator reads.
// expected-error @below {{argument 1: bytes [0, 72) end up as the result of another operator, or of one with other operands, unlike in the program}}
func.func @swapped(%arg0: memref<1x4x6x3xi8, #luna.memory<psram>>, %arg1: memref<1x4x6x3xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 152 : i64} {
  luna.region 0 {
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor, name = "tensor0">} : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>
    %x = memref.alloc() {luna.place = #luna.place<id = 1, offset = 80, kind = input, name = "input1">} : memref<1x4x6x3xi8, #luna.memory<shared>>
    %0 = luna.dma_start %arg0 to %x : memref<1x4x6x3xi8, #luna.memory<psram>> to memref<1x4x6x3xi8, #luna.memory<shared>>
    luna.dma_wait %0
    memref.copy %x, %a : memref<1x4x6x3xi8, #luna.memory<shared>> to memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>
    %b = memref.alloc() {luna.place = #luna.place<id = 2, offset = 80, kind = tensor, name = "tensor2">} : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>
    %bad = memref.reinterpret_cast %a to offset: [0], sizes: [1, 4, 6, 3], strides: [72, 1, 4, 24] : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>> to memref<1x4x6x3xi8, strided<[72, 1, 4, 24]>, #luna.memory<shared>>
    // expected-note @below {{input of 'tensor2': bytes [3, 6) hold bytes [12, 15) of argument 0, the program has bytes [3, 6) of argument 0}}
    luna.max_pool2d ins(%bad : memref<1x4x6x3xi8, strided<[72, 1, 4, 24]>, #luna.memory<shared>>) outs(%b : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>>) {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}
    memref.copy %b, %arg1 : memref<1x4x6x3xi8, strided<[72, 6, 1, 24]>, #luna.memory<shared>> to memref<1x4x6x3xi8, #luna.memory<psram>>
    luna.yield
  }
  return
}
luna.program @swapped.program {
  func.func @swapped(%arg0: memref<1x4x6x3xi8>, %arg1: memref<1x4x6x3xi8>) {
    %a = memref.alloc() : memref<1x4x6x3xi8>
    memref.copy %arg0, %a : memref<1x4x6x3xi8> to memref<1x4x6x3xi8>
    %b = memref.alloc() : memref<1x4x6x3xi8>
    luna.max_pool2d ins(%a : memref<1x4x6x3xi8>) outs(%b : memref<1x4x6x3xi8>) {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}
    memref.copy %b, %arg1 : memref<1x4x6x3xi8> to memref<1x4x6x3xi8>
    return
  }
}
