// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/"655360"/"19072"/' %luna_machines/venus.xml > %t/small.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-tile-operators{machine=%t/small.xml}))' | FileCheck %s --check-prefix=TILED

// TILED: tiling = array<i32: 7, 14, 16, 8, 3, 3, 2, 6272, 0>
// TILED: tiling = array<i32: 14, 14, 16, 16, 1, 1, 2, 12544, 0>
// Each convolution has a staging buffer of its own, so that both keep their
// tiles.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-tile-operators{machine=%t/small.xml},luna-form-regions,luna-choose-transfers{machine=%t/small.xml record-mode=true}))' 2> %t/err | FileCheck %s --check-prefix=AUTO
// RUN: count 0 < %t/err
// AUTO: luna.dma = "auto"
// AUTO: tiling = array<i32: 7, 14, 16, 8, 3, 3, 2, 6272, 0>
// AUTO: tiling = array<i32: 14, 14, 16, 16, 1, 1, 2, 12544, 0>
memref.global "private" constant @first : memref<1152xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @table : memref<256xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @second : memref<256xi8, #luna.memory<psram>> = dense<1>
func.func @main(%in: memref<1x16x16x8xi8, #luna.memory<psram>>, %out: memref<1x14x14x16xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<1x16x16x8xi8, #luna.memory<shared>>
  %y = memref.alloc() : memref<1x14x14x16xi8, #luna.memory<shared>>
  %z = memref.alloc() : memref<1x14x14x16xi8, #luna.memory<shared>>
  memref.copy %in, %x : memref<1x16x16x8xi8, #luna.memory<psram>> to memref<1x16x16x8xi8, #luna.memory<shared>>
  %p = memref.get_global @first : memref<1152xi8, #luna.memory<psram>>
  %v = memref.view %p[%c0][] : memref<1152xi8, #luna.memory<psram>> to memref<16x3x3x8xi8, #luna.memory<psram>>
  luna.conv2d ins(%x, %v : memref<1x16x16x8xi8, #luna.memory<shared>>, memref<16x3x3x8xi8, #luna.memory<psram>>)
      outs(%y : memref<1x14x14x16xi8, #luna.memory<shared>>)
      {params = @first, requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  %q = memref.get_global @table : memref<256xi8, #luna.memory<psram>>
  %w = memref.view %q[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
  luna.table ins(%y, %w : memref<1x14x14x16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
      outs(%y : memref<1x14x14x16xi8, #luna.memory<shared>>) {params = @table}
  %r = memref.get_global @second : memref<256xi8, #luna.memory<psram>>
  %u = memref.view %r[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<16x1x1x16xi8, #luna.memory<psram>>
  luna.conv2d ins(%y, %u : memref<1x14x14x16xi8, #luna.memory<shared>>, memref<16x1x1x16xi8, #luna.memory<psram>>)
      outs(%z : memref<1x14x14x16xi8, #luna.memory<shared>>)
      {params = @second, requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  memref.copy %z, %out : memref<1x14x14x16xi8, #luna.memory<shared>> to memref<1x14x14x16xi8, #luna.memory<psram>>
  return
}

// With as little as the last mode takes, the least scratch that there is; with
// less, the error of that.
// RUN: sed 's/"655360"/"6544"/' %luna_machines/venus.xml > %t/least.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/least.xml},luna-tile-operators{machine=%t/least.xml},luna-form-regions,luna-choose-transfers{machine=%t/least.xml record-mode=true}))' 2> %t/err | FileCheck %s --check-prefix=LEAST
// RUN: grep "transfers wait for memory" %t/err
// LEAST: luna.dma = "auto"
// LEAST: tiling = array<i32: {{.*}}, 16, 0>
// LEAST: tiling = array<i32: {{.*}}, 16, 0>
// RUN: sed 's/"655360"/"4000"/' %luna_machines/venus.xml > %t/none.xml
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/none.xml},luna-tile-operators{machine=%t/none.xml},luna-form-regions,luna-choose-transfers{machine=%t/none.xml}))' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: needs {{[0-9]+}} bytes of shared memory, machine 'venus' has 4000
