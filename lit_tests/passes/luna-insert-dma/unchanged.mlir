// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma))' > %t.after
// RUN: diff %t.before %t.after

// Copies on chip, copies of strided parts, and operators without constants.
func.func @main(%x: memref<16xi8, #luna.memory<shared>>, %y: memref<4x32xi8, #luna.memory<psram>>, %t: memref<256xi8, #luna.memory<shared>>) {
  luna.region 0 {
    %a = memref.alloc() : memref<16xi8, #luna.memory<shared>>
    memref.copy %x, %a : memref<16xi8, #luna.memory<shared>> to memref<16xi8, #luna.memory<shared>>
    %b = memref.alloc() : memref<4x16xi8, #luna.memory<shared>>
    %part = memref.subview %y[0, 0] [4, 16] [1, 1] : memref<4x32xi8, #luna.memory<psram>> to memref<4x16xi8, strided<[32, 1]>, #luna.memory<psram>>
    memref.copy %part, %b : memref<4x16xi8, strided<[32, 1]>, #luna.memory<psram>> to memref<4x16xi8, #luna.memory<shared>>
    luna.table ins(%a, %t : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<shared>>)
        outs(%x : memref<16xi8, #luna.memory<shared>>)
    luna.yield
  }
  return
}
