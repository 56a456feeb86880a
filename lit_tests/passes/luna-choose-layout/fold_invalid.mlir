// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(luna-choose-layout{layout=calls})'

func.func @dynamic(%x: memref<1x3x3x1xi8, strided<[?, ?, ?, ?]>>, %w: memref<1x1x1x1xi8>, %y: memref<1x3x3x1xi32>) {
  // expected-error @below {{operand 0 needs static strides, extents below 2^31 and an element type of the runtime}}
  luna.conv2d ins(%x, %w : memref<1x3x3x1xi8, strided<[?, ?, ?, ?]>>, memref<1x1x1x1xi8>) outs(%y : memref<1x3x3x1xi32>) {input_zp = 3 : i32, requant = #luna.requant<>}
  return
}
