// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/"655360"/"3712"/' %luna_machines/venus.xml > %t/small.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-memory{machine=%t/small.xml},luna-tile-operators{machine=%t/small.xml}))' | FileCheck %s --check-prefix=TILED
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-memory{machine=%t/small.xml},luna-tile-operators{machine=%t/small.xml},luna-form-regions,luna-choose-transfers{machine=%t/small.xml record-mode=true}))' 2> %t/err | FileCheck %s
// RUN: count 0 < %t/err

// A mode is worth more than large tiles. The second convolution reads its
// weights from the staging buffer of the first, which is larger than they are,
// so that its sums do not fit beside it: it is tiled again.
// TILED: tiling = array<i32: 3, 6, 16, 8, 3, 3, 1, 1152>
// TILED: tiling = array<i32: 6, 6, 16, 16, 1, 1, 1, 2304>
// CHECK: luna.dma = "prefetch"
// CHECK: tiling = array<i32: {{.*}}, 3, 3, 1, 256>
// CHECK: tiling = array<i32: 3, 6, 16, 16, 1, 1, 1, 1152>
memref.global "private" constant @first : memref<1152xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @table : memref<256xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @second : memref<256xi8, #luna.memory<psram>> = dense<1>
func.func @main(%in: memref<1x8x8x8xi8, #luna.memory<psram>>, %out: memref<1x6x6x16xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<1x8x8x8xi8, #luna.memory<shared>>
  %y = memref.alloc() : memref<1x6x6x16xi8, #luna.memory<shared>>
  %z = memref.alloc() : memref<1x6x6x16xi8, #luna.memory<shared>>
  memref.copy %in, %x : memref<1x8x8x8xi8, #luna.memory<psram>> to memref<1x8x8x8xi8, #luna.memory<shared>>
  %p = memref.get_global @first : memref<1152xi8, #luna.memory<psram>>
  %v = memref.view %p[%c0][] : memref<1152xi8, #luna.memory<psram>> to memref<16x3x3x8xi8, #luna.memory<psram>>
  luna.conv2d ins(%x, %v : memref<1x8x8x8xi8, #luna.memory<shared>>, memref<16x3x3x8xi8, #luna.memory<psram>>)
      outs(%y : memref<1x6x6x16xi8, #luna.memory<shared>>)
      {params = @first, requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  %q = memref.get_global @table : memref<256xi8, #luna.memory<psram>>
  %w = memref.view %q[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
  luna.table ins(%y, %w : memref<1x6x6x16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
      outs(%y : memref<1x6x6x16xi8, #luna.memory<shared>>) {params = @table}
  %r = memref.get_global @second : memref<256xi8, #luna.memory<psram>>
  %u = memref.view %r[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<16x1x1x16xi8, #luna.memory<psram>>
  luna.conv2d ins(%y, %u : memref<1x6x6x16xi8, #luna.memory<shared>>, memref<16x1x1x16xi8, #luna.memory<psram>>)
      outs(%z : memref<1x6x6x16xi8, #luna.memory<shared>>)
      {params = @second, requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  memref.copy %z, %out : memref<1x6x6x16xi8, #luna.memory<shared>> to memref<1x6x6x16xi8, #luna.memory<psram>>
  return
}
