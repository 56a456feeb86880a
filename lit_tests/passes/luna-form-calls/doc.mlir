// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-calls{layout=calls}))' | FileCheck %s

// A fully connected layer is a convolution of an image of one pixel.
// CHECK-LABEL: func.func @main(
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}1, 2, 3]]], {{\[\[\[}}4, 5, 6]]]]> : tensor<2x1x1x3xi8>}>
// CHECK: luna.conv2d ins(%{{.*}}, %[[W]] : tensor<1x1x1x3xi8>, tensor<2x1x1x3xi8>) bias(%{{.*}} : tensor<2xi32>)
// CHECK-SAME: input_zp = 5 : i32
// CHECK-NOT: luna.matmul
func.func @main(%x: tensor<1x1x3xi8>) -> tensor<1x1x2xi8> {
  %w = "tosa.const"() <{values = dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi8>}> : () -> tensor<1x2x3xi8>
  %b = "tosa.const"() <{values = dense<[7, 8]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %o = tensor.empty() : tensor<1x1x2xi8>
  %r = luna.matmul ins(%x, %w : tensor<1x1x3xi8>, tensor<1x2x3xi8>) bias(%b : tensor<2xi32>) outs(%o : tensor<1x1x2xi8>)
      {rhs_transposed, lhs_zp = 5 : i32, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x1x2xi8>
  return %r : tensor<1x1x2xi8>
}
