// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights)' | FileCheck %s --check-prefix=AUTO
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{layout=calls})' | FileCheck %s --check-prefix=AUTO
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{machine=arcs layout=calls})' | FileCheck %s --check-prefix=ARCS

// A kernel of 7 rows is a call of arcs, not of venus.
// AUTO-NOT: memref.copy
// ARCS: memref.copy
#s = #luna.memory<shared>
func.func @main(%x: memref<1x8x8x4xi8, #s>, %v: memref<4x7x7x4xi8, #s>, %z: memref<1x2x2x4xi8, #s>) {
  luna.conv2d ins(%x, %v : memref<1x8x8x4xi8, #s>, memref<4x7x7x4xi8, #s>) outs(%z : memref<1x2x2x4xi8, #s>)
      {requant = #luna.requant<mode = shift, shift = 7>}
  return
}
