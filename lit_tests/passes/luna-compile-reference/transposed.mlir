// Transposed convolutions are decomposed, which upstream does not lower.
// RUN: luna-opt --pass-pipeline='builtin.module(luna-compile-reference)' %s | FileCheck %s

// CHECK-LABEL: llvm.func @main
// CHECK-NOT: tosa.
// CHECK: llvm.fmul
// CHECK-NOT: tosa.
func.func @main(%x: tensor<1x2x2x1xf32>, %w: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
  %bias = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.transpose_conv2d %x, %w, %bias, %zero, %zero {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>
  return %y : tensor<1x3x3x1xf32>
}
