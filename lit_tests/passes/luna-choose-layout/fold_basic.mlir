// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=calls})' | FileCheck %s

// CHECK-DAG: @folded5 : memref<9x1xi32> = dense<{{\[\[}}10], [24], [36], [12], [34], [42], [48], [58], [66]]>
// CHECK-DAG: @folded6 : memref<2x2xi32> = dense<{{\[\[}}-5, -50], [2, 20]]>
// CHECK-DAG: @folded0 : memref<2xi32> = dense<[80, 48]>
// CHECK-DAG: @folded1 : memref<4xi32> = dense<[6, 8, 10, 12]>
// CHECK-DAG: @folded2 : memref<2xi32> = dense<[82, 76]>
// CHECK-DAG: @folded3 : memref<2xi32> = dense<[88, 70]>
// CHECK-DAG: @folded4 : memref<2xi32> = dense<90>

// Each form of weights; splats; no bias; in branches and what is recorded.

// OHWI: 100 - 2 * 10 and 100 - 2 * 26.
memref.global "private" constant @ohwi : memref<2x1x2x2xi8> = dense<[[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]]>
memref.global "private" constant @b : memref<2xi32> = dense<100>
// CHECK-LABEL: @conv(
func.func @conv(%x: memref<1x3x4x2xi8>, %y: memref<1x3x3x2xi32>) {
  %w = memref.get_global @ohwi : memref<2x1x2x2xi8>
  %b = memref.get_global @b : memref<2xi32>
  // CHECK: %[[B:.*]] = memref.get_global @folded0 : memref<2xi32>
  // CHECK: luna.conv2d {{.*}} bias(%[[B]] : memref<2xi32>) {{.*}} {folded_zp = 2 : i32, requant = #luna.requant<>}
  luna.conv2d ins(%x, %w : memref<1x3x4x2xi8>, memref<2x1x2x2xi8>) bias(%b : memref<2xi32>) outs(%y : memref<1x3x3x2xi32>)
      {input_zp = 2 : i32, requant = #luna.requant<>}
  return
}

// HWCM, output channel c * M + m: 1 * (1 + 5) for the first. No bias before.
memref.global "private" constant @hwcm : memref<1x2x2x2xi8> = dense<[[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]>
// CHECK-LABEL: @depthwise(
func.func @depthwise(%x: memref<1x3x4x2xi8>, %y: memref<1x3x3x4xi32>) {
  %w = memref.get_global @hwcm : memref<1x2x2x2xi8>
  // CHECK: %[[B:.*]] = memref.get_global @folded1 : memref<4xi32>
  // CHECK: luna.conv2d {{.*}} bias(%[[B]] : memref<4xi32>) {{.*}} {folded_zp = -1 : i32, kind = 1 : i32, requant
  luna.conv2d ins(%x, %w : memref<1x3x4x2xi8>, memref<1x2x2x2xi8>) outs(%y : memref<1x3x3x4xi32>)
      {kind = 1 : i32, input_zp = -1 : i32, requant = #luna.requant<>}
  return
}

memref.global "private" constant @columns : memref<1x3x2xi8> = dense<[[[1, 2], [3, 4], [5, 6]]]>
// CHECK-LABEL: @matmul(
func.func @matmul(%x: memref<1x4x3xi8>, %y: memref<1x4x2xi32>, %c: i1) {
  %w = memref.get_global @columns : memref<1x3x2xi8>
  %b = memref.get_global @b : memref<2xi32>
  scf.if %c {
    // CHECK: scf.if
    // CHECK: %[[B:.*]] = memref.get_global @folded2 : memref<2xi32>
    // CHECK: luna.matmul {{.*}} bias(%[[B]] : memref<2xi32>) {{.*}} {folded_zp = 2 : i32, requant = #luna.requant<>}
    luna.matmul ins(%x, %w : memref<1x4x3xi8>, memref<1x3x2xi8>) bias(%b : memref<2xi32>) outs(%y : memref<1x4x2xi32>)
        {lhs_zp = 2 : i32, requant = #luna.requant<>}
  }
  return
}

memref.global "private" constant @rows : memref<1x2x3xi8> = dense<[[[1, 2, 3], [4, 5, 6]]]>
// CHECK-LABEL: @matmul_transposed(
func.func @matmul_transposed(%x: memref<1x4x3xi8>, %y: memref<1x4x2xi32>) {
  %w = memref.get_global @rows : memref<1x2x3xi8>
  %b = memref.get_global @b : memref<2xi32>
  // CHECK: %[[B:.*]] = memref.get_global @folded3 : memref<2xi32>
  // CHECK: luna.matmul {{.*}} bias(%[[B]] : memref<2xi32>) {{.*}} {folded_zp = 2 : i32, requant = #luna.requant<>, rhs_transposed}
  luna.matmul ins(%x, %w : memref<1x4x3xi8>, memref<1x2x3xi8>) bias(%b : memref<2xi32>) outs(%y : memref<1x4x2xi32>)
      {rhs_transposed, lhs_zp = 2 : i32, requant = #luna.requant<>}
  return
}

memref.global "private" constant @ones : memref<2x1x1x5xi8> = dense<1>
// CHECK-LABEL: @splat(
func.func @splat(%x: memref<1x3x3x5xi8>, %t: memref<2x2xi32>, %y: memref<1x3x3x2xi8>) {
  %w = memref.get_global @ones : memref<2x1x1x5xi8>
  %b = memref.get_global @b : memref<2xi32>
  // CHECK: luna.conv2d {{.*}} bias({{.*}} : memref<2xi32>) table({{.*}} : memref<2x2xi32>) {{.*}} {folded_zp = 2 : i32, requant
  luna.conv2d ins(%x, %w : memref<1x3x3x5xi8>, memref<2x1x1x5xi8>) bias(%b : memref<2xi32>) table(%t : memref<2x2xi32>)
      outs(%y : memref<1x3x3x2xi8>) {input_zp = 2 : i32, requant = #luna.requant<mode = multiplier, per_channel = true>}
  return
}

// Windows that reach padding: row 0 is the bias of the middle, 100 - 2 * 45, the
// others are 2 * the taps that fall on padding: left 1 + 4 + 7, right 3 + 6 + 9;
// top 1 + 2 + 3, top left 1 + 2 + 3 + 4 + 7, …
memref.global "private" constant @nine : memref<1x3x3x1xi8> = dense<[[[[1], [2], [3]], [[4], [5], [6]], [[7], [8], [9]]]]>
memref.global "private" constant @b1 : memref<1xi32> = dense<100>
// CHECK-LABEL: @borders(
func.func @borders(%x: memref<1x4x4x1xi8>, %y: memref<1x4x4x1xi32>) {
  %w = memref.get_global @nine : memref<1x3x3x1xi8>
  %b = memref.get_global @b1 : memref<1xi32>
  // CHECK: %[[B:.*]] = memref.get_global @folded5 : memref<9x1xi32>
  // CHECK: luna.conv2d {{.*}} bias(%[[B]] : memref<9x1xi32>) {{.*}} {folded_zp = 2 : i32, pad = array<i64: 1, 1, 1, 1>, requant
  luna.conv2d ins(%x, %w : memref<1x4x4x1xi8>, memref<1x3x3x1xi8>) bias(%b : memref<1xi32>) outs(%y : memref<1x4x4x1xi32>)
      {input_zp = 2 : i32, pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<>}
  return
}

// Depthwise, on two rows: no row of outputs is most, the first is row 0.
// CHECK-LABEL: @depthwise_borders(
// CHECK: luna.conv2d {{.*}} bias({{.*}} : memref<2x2xi32>) {{.*}} {folded_zp = 1 : i32, kind = 1 : i32, pad = array<i64: 1, 1, 0, 0>, requant
memref.global "private" constant @column : memref<3x1x2x1xi8> = dense<[[[[1], [10]]], [[[2], [20]]], [[[3], [30]]]]>
func.func @depthwise_borders(%x: memref<1x2x3x2xi8>, %y: memref<1x2x3x2xi32>) {
  %w = memref.get_global @column : memref<3x1x2x1xi8>
  luna.conv2d ins(%x, %w : memref<1x2x3x2xi8>, memref<3x1x2x1xi8>) outs(%y : memref<1x2x3x2xi32>)
      {kind = 1 : i32, input_zp = 1 : i32, pad = array<i64: 1, 1, 0, 0>, requant = #luna.requant<>}
  return
}

// The record of the program stays.
// CHECK: luna.program
// CHECK: luna.conv2d {{.*}} {input_zp = 2 : i32, requant = #luna.requant<>}
luna.program @conv.program {
  memref.global "private" constant @ohwi : memref<2x1x2x2xi8> = dense<1>
  func.func @conv(%x: memref<1x3x4x2xi8>, %y: memref<1x3x3x2xi32>) {
    %w = memref.get_global @ohwi : memref<2x1x2x2xi8>
    luna.conv2d ins(%x, %w : memref<1x3x4x2xi8>, memref<2x1x2x2xi8>) outs(%y : memref<1x3x3x2xi32>)
        {input_zp = 2 : i32, requant = #luna.requant<>}
    return
  }
}
