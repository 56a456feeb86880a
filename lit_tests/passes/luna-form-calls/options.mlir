// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-calls))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-calls{layout=planar}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-calls{machine=venusa layout=calls}))' | FileCheck %s --check-prefix=CALLS

// Calls are formed where they are asked for.
// CHECK-LABEL: func.func @main(
// CHECK: luna.matmul
// CALLS-LABEL: func.func @main(
// CALLS: luna.conv2d
func.func @main(%x: tensor<1x1x3xi8>) -> tensor<1x1x2xi32> {
  %w = "tosa.const"() <{values = dense<1> : tensor<1x2x3xi8>}> : () -> tensor<1x2x3xi8>
  %o = tensor.empty() : tensor<1x1x2xi32>
  %r = luna.matmul ins(%x, %w : tensor<1x1x3xi8>, tensor<1x2x3xi8>) outs(%o : tensor<1x1x2xi32>)
      {rhs_transposed, requant = #luna.requant<mode = none>} -> tensor<1x1x2xi32>
  return %r : tensor<1x1x2xi32>
}
