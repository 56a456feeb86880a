// Operators of the unit are compiled by what they mean.
// RUN: luna-opt --pass-pipeline='builtin.module(luna-compile-reference)' %s | FileCheck %s

// CHECK-LABEL: llvm.func @main
// CHECK-NOT: luna.
// CHECK: llvm.ashr
// CHECK-NOT: luna.
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %o = tensor.empty() : tensor<4xi8>
  %r = luna.add ins(%x, %x : tensor<4xi8>, tensor<4xi8>) outs(%o : tensor<4xi8>) {requant = #luna.requant<mode = shift, shift = 1>} -> tensor<4xi8>
  return %r : tensor<4xi8>
}
