// RUN: not lunac compile %s --layout=calls --emit=llvm -o %t.ll 2>&1 | FileCheck %s
// RUN: not lunac compile %s --layout=calls --emit=archive --target=host -o %t 2>&1 | FileCheck %s
// RUN: lunac compile %s --emit=llvm -o %t.ll
// RUN: lunac compile %s --machine=arcs --layout=calls --emit=llvm -o %t.ll

// A program that names an operator of the unit has no other to fall back to.
// CHECK: call-refused.mlir:[[@LINE+4]]:8: error: machine 'venus' has no call for an input that is not whole planes
func.func @main(%x: tensor<1x16x16x4xi8>) -> tensor<1x8x14x4xi8> {
  %w = "tosa.const"() <{values = dense<1> : tensor<4x9x3x4xi8>}> : () -> tensor<4x9x3x4xi8>
  %o = tensor.empty() : tensor<1x8x14x4xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x16x16x4xi8>, tensor<4x9x3x4xi8>) outs(%o : tensor<1x8x14x4xi8>)
      {requant = #luna.requant<mode = shift, shift = 9>} -> tensor<1x8x14x4xi8>
  return %r : tensor<1x8x14x4xi8>
}
