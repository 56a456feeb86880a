// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))'
// Folded zero points whose constants cannot be computed again.

func.func @weights_not_constant(%x: memref<1x2x2x4xi8, #luna.memory<psram>>, %w: memref<1x1x1x4xi8, #luna.memory<psram>>, %y: memref<1x2x2x1xi32, #luna.memory<psram>>) {
  return
}
luna.program @p {
  memref.global "private" constant @b : memref<1xi32> = dense<100>
  func.func @weights_not_constant(%x: memref<1x2x2x4xi8>, %w: memref<1x1x1x4xi8>, %y: memref<1x2x2x1xi32>) {
    %b = memref.get_global @b : memref<1xi32>
    // expected-error @below {{a zero point is folded into constants that are not known or too few}}
    luna.conv2d ins(%x, %w : memref<1x2x2x4xi8>, memref<1x1x1x4xi8>) bias(%b : memref<1xi32>) outs(%y : memref<1x2x2x1xi32>) {folded_zp = 3 : i32, requant = #luna.requant<>}
    return
  }
}
