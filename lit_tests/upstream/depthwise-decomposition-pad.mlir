// RUN: not mlir-opt %s --pass-pipeline='builtin.module(func.func(tosa-optional-decompositions))' 2>&1 | FileCheck %s
//
// [mlir][tosa] tosa-optional-decompositions makes an invalid tosa.pad of a
// padded 1x1 depthwise convolution of integers
//
// The input is cast to i32 before it is padded, but the pad's constant and the
// type of its result are those of i8. Expected: a pad of i32 with the zero
// point, or with 0 behind the subtraction of the zero point.
//
// Worked around by passes/upstream_fixes/decompose_transpose_conv.c, which
// decomposes transposed convolutions without that pass.

// CHECK: error: 'tosa.pad' op expect input and output to have same element type, got 'i32' and 'i8'
func.func @main(%x: tensor<1x4x4x8xi8>, %w: tensor<1x1x8x1xi8>, %b: tensor<8xi32>) -> tensor<1x6x6x8xi32> {
  %z = "tosa.const"() {values = dense<5> : tensor<1xi8>} : () -> tensor<1xi8>
  %z0 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.depthwise_conv2d %x, %w, %b, %z, %z0 {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x8xi8>, tensor<1x1x8x1xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x8xi32>
  return %r : tensor<1x6x6x8xi32>
}
