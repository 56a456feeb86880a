// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights)' > %t.after
// RUN: diff %t.before %t.after

// Constants that no unit operator reads, and operators without constants.
memref.global "private" constant @c : memref<16xi8, #luna.memory<psram>> = dense<1>

func.func @main(%x: memref<16xi8>, %y: memref<16xi8>, %t: memref<256xi8>) {
  %c = memref.get_global @c : memref<16xi8, #luna.memory<psram>>
  memref.copy %c, %x : memref<16xi8, #luna.memory<psram>> to memref<16xi8>
  luna.table ins(%x, %t : memref<16xi8>, memref<256xi8>) outs(%y : memref<16xi8>)
  return
}
