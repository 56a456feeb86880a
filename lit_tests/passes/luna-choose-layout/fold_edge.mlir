// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=calls})' | FileCheck %s

// CHECK-DAG: @folded1 : memref<1xi32> = dense<-45>
// CHECK-DAG: @folded2 : memref<1xi32> = dense<-5>

// Sums that just fit 32 bits on the way, and those that do not: 128 * 127 + the
// bias that is folded, 2147467391 at most.
memref.global "private" constant @w : memref<1x1x1x1xi8> = dense<127>
memref.global "private" constant @most : memref<1xi32> = dense<2147467264>
memref.global "private" constant @more : memref<1xi32> = dense<2147467265>

// CHECK-LABEL: @fits(
// CHECK: {folded_zp = -1 : i32, requant
func.func @fits(%x: memref<1x3x3x1xi8>, %y: memref<1x3x3x1xi32>) {
  %w = memref.get_global @w : memref<1x1x1x1xi8>
  %b = memref.get_global @most : memref<1xi32>
  luna.conv2d ins(%x, %w : memref<1x3x3x1xi8>, memref<1x1x1x1xi8>) bias(%b : memref<1xi32>) outs(%y : memref<1x3x3x1xi32>)
      {input_zp = -1 : i32, requant = #luna.requant<>}
  return
}

// CHECK-LABEL: @leaves_32_bits(
// CHECK: {input_zp = -1 : i32, requant
func.func @leaves_32_bits(%x: memref<1x3x3x1xi8>, %y: memref<1x3x3x1xi32>) {
  %w = memref.get_global @w : memref<1x1x1x1xi8>
  %b = memref.get_global @more : memref<1xi32>
  luna.conv2d ins(%x, %w : memref<1x3x3x1xi8>, memref<1x1x1x1xi8>) bias(%b : memref<1xi32>) outs(%y : memref<1x3x3x1xi32>)
      {input_zp = -1 : i32, requant = #luna.requant<>}
  return
}

// Padding that no window reaches; one output, which meets one tap of nine.
memref.global "private" constant @nine : memref<1x3x3x1xi8> = dense<[[[[1], [2], [3]], [[4], [5], [6]], [[7], [8], [9]]]]>

// CHECK-LABEL: @not_reached(
// CHECK: {folded_zp = 1 : i32, pad = array<i64: 0, 1, 0, 1>, requant
func.func @not_reached(%x: memref<1x5x5x1xi8>, %y: memref<1x2x2x1xi32>) {
  %w = memref.get_global @nine : memref<1x3x3x1xi8>
  luna.conv2d ins(%x, %w : memref<1x5x5x1xi8>, memref<1x3x3x1xi8>) outs(%y : memref<1x2x2x1xi32>)
      {input_zp = 1 : i32, stride = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, requant = #luna.requant<>}
  return
}

// CHECK-LABEL: @one_output(
// CHECK: {folded_zp = 1 : i32, pad = array<i64: 1, 1, 1, 1>, requant
func.func @one_output(%x: memref<1x1x1x1xi8>, %y: memref<1x1x1x1xi32>) {
  %w = memref.get_global @nine : memref<1x3x3x1xi8>
  luna.conv2d ins(%x, %w : memref<1x1x1x1xi8>, memref<1x3x3x1xi8>) outs(%y : memref<1x1x1x1xi32>)
      {input_zp = 1 : i32, pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<>}
  return
}

// Strides and dilations: one row of outputs lacks a tap at the end.
// CHECK-LABEL: @at_the_end(
// CHECK: luna.conv2d {{.*}} bias({{.*}} : memref<4x1xi32>) {{.*}} {folded_zp = 1 : i32, pad = array<i64: 0, 1, 0, 1>, requant
func.func @at_the_end(%x: memref<1x4x4x1xi8>, %y: memref<1x2x2x1xi32>) {
  %w = memref.get_global @nine : memref<1x3x3x1xi8>
  luna.conv2d ins(%x, %w : memref<1x4x4x1xi8>, memref<1x3x3x1xi8>) outs(%y : memref<1x2x2x1xi32>)
      {input_zp = 1 : i32, stride = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, requant = #luna.requant<>}
  return
}

// 16 classes on an axis are the most: 15 is the largest odd kernel of all.
memref.global "private" constant @k15 : memref<1x15x1x1xi8> = dense<1>
memref.global "private" constant @k17 : memref<1x17x1x1xi8> = dense<1>
// CHECK-LABEL: @fifteen(
// CHECK: luna.conv2d {{.*}} bias({{.*}} : memref<15x1xi32>) {{.*}} {folded_zp = 1
func.func @fifteen(%x: memref<1x15x1x1xi8>, %y: memref<1x15x1x1xi32>) {
  %w = memref.get_global @k15 : memref<1x15x1x1xi8>
  luna.conv2d ins(%x, %w : memref<1x15x1x1xi8>, memref<1x15x1x1xi8>) outs(%y : memref<1x15x1x1xi32>)
      {input_zp = 1 : i32, pad = array<i64: 7, 7, 0, 0>, requant = #luna.requant<>}
  return
}

// CHECK-LABEL: @seventeen(
// CHECK: luna.conv2d {{.*}} {input_zp = 1
func.func @seventeen(%x: memref<1x17x1x1xi8>, %y: memref<1x17x1x1xi32>) {
  %w = memref.get_global @k17 : memref<1x17x1x1xi8>
  luna.conv2d ins(%x, %w : memref<1x17x1x1xi8>, memref<1x17x1x1xi8>) outs(%y : memref<1x17x1x1xi32>)
      {input_zp = 1 : i32, pad = array<i64: 8, 8, 0, 0>, requant = #luna.requant<>}
  return
}
