// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fuse-clamps))' | FileCheck %s

// A layer whose rows are joined before its ReLU6: the bounds are those of the
// product, as far as it reached.

// CHECK-LABEL: func.func @layer
// CHECK: luna.matmul {{.*}}requant = #luna.requant<mode = shift, shift = 7, clamp_min = 0, clamp_max = 96>
// CHECK-NOT: tosa.clamp
func.func @layer(%x: tensor<1x4x8xi8>, %w: tensor<1x10x8xi8>) -> tensor<1x40xi8> {
  %o = tensor.empty() : tensor<1x4x10xi8>
  %r = luna.matmul ins(%x, %w : tensor<1x4x8xi8>, tensor<1x10x8xi8>) outs(%o : tensor<1x4x10xi8>) {
    requant = #luna.requant<mode = shift, shift = 7>, rhs_transposed} -> tensor<1x4x10xi8>
  %shape = tosa.const_shape {values = dense<[1, 40]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %r, %shape : (tensor<1x4x10xi8>, !tosa.shape<2>) -> tensor<1x40xi8>
  %relu6 = tosa.clamp %flat {min_val = 0 : i8, max_val = 96 : i8} : (tensor<1x40xi8>) -> tensor<1x40xi8>
  return %relu6 : tensor<1x40xi8>
}
