// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(luna-pack-weights)'

memref.global "private" constant @t : memref<256xi8, #luna.memory<psram>> = uninitialized

func.func @bytes_unknown(%x: memref<4xi8>, %y: memref<4xi8>) {
  %t = memref.get_global @t : memref<256xi8, #luna.memory<psram>>
  // expected-error @below {{the bytes of constant operand 1 are not in the IR}}
  luna.table ins(%x, %t : memref<4xi8>, memref<256xi8, #luna.memory<psram>>) outs(%y : memref<4xi8>)
  return
}
