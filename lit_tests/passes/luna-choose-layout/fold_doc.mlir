// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=calls})' | FileCheck %s

memref.global "private" constant @w : memref<2x1x1x3xi8> = dense<[[[[1, 2, 3]]], [[[-4, 5, 6]]]]>
memref.global "private" constant @b : memref<2xi32> = dense<[10, 20]>

// 10 - (-128) * 6 and 20 - (-128) * 7.
// CHECK: memref.global "private" constant @folded0 : memref<2xi32> = dense<[778, 916]>
// CHECK-LABEL: func.func @main
func.func @main(%x: memref<1x4x4x3xi8>, %y: memref<1x4x4x2xi32>) {
  %w = memref.get_global @w : memref<2x1x1x3xi8>
  %b = memref.get_global @b : memref<2xi32>
  // CHECK: %[[B:.*]] = memref.get_global @folded0 : memref<2xi32>
  // CHECK: luna.conv2d {{.*}} bias(%[[B]] : memref<2xi32>) {{.*}} {folded_zp = -128 : i32, requant = #luna.requant<>}
  luna.conv2d ins(%x, %w : memref<1x4x4x3xi8>, memref<2x1x1x3xi8>) bias(%b : memref<2xi32>)
      outs(%y : memref<1x4x4x2xi32>) {input_zp = -128 : i32, requant = #luna.requant<>}
  return
}
