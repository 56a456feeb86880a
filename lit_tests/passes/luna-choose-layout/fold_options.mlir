// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=calls})' | FileCheck %s --check-prefix=CALLS
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout)' | FileCheck %s --check-prefix=OTHER
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=planar})' | FileCheck %s --check-prefix=OTHER
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=nhwc})' | FileCheck %s --check-prefix=OTHER

memref.global "private" constant @w : memref<1x1x1x1xi8> = dense<2>
// CALLS: {folded_zp = 3 : i32, requant
// OTHER: {input_zp = 3 : i32, requant
func.func @main(%x: memref<1x3x3x1xi8>, %y: memref<1x3x3x1xi32>) {
  %w = memref.get_global @w : memref<1x1x1x1xi8>
  luna.conv2d ins(%x, %w : memref<1x3x3x1xi8>, memref<1x1x1x1xi8>) outs(%y : memref<1x3x3x1xi32>) {input_zp = 3 : i32, requant = #luna.requant<>}
  return
}
