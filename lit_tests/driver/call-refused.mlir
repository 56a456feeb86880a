// What the machine's library has no call for, the core computes, though the program
// names an operator of the unit. A plan with other launches is refused by name where
// it is to be calls, with the rule that a launch breaks.
// RUN: lunac run %s --random-input=1 --check > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: FileCheck %s --check-prefix=EQUAL < %t.out
// RUN: lunac compile %s --machine=arcs --emit=llvm -o %t.ll 2>&1 | FileCheck %s --check-prefix=ARCS --allow-empty
// RUN: lunac compile %s --layout=auto --emit=luna -o %t.mlir
// RUN: lunac compile %t.mlir --emit=llvm -o %t.ll
// RUN: not lunac compile %t.mlir --layout=calls --emit=llvm -o %t.ll 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not lunac compile %t.mlir --layout=calls --emit=archive --target=host -o %t.dir 2>&1 | FileCheck %s --check-prefix=REFUSED
// EQUAL: 0 hazards; 1 runs equal the upstream CPU path bit for bit
// REFUSED: error: machine 'venus' has no call for an input that is not whole planes
// ARCS-NOT: remark
// REMARK: call-refused.mlir:[[@LINE+4]]:8: remark: machine 'venus' has no call for it: the core computes it
func.func @main(%x: tensor<1x16x16x4xi8>) -> tensor<1x8x14x4xi8> {
  %w = "tosa.const"() <{values = dense<1> : tensor<4x9x3x4xi8>}> : () -> tensor<4x9x3x4xi8>
  %o = tensor.empty() : tensor<1x8x14x4xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x16x16x4xi8>, tensor<4x9x3x4xi8>) outs(%o : tensor<1x8x14x4xi8>)
      {requant = #luna.requant<mode = shift, shift = 9>} -> tensor<1x8x14x4xi8>
  return %r : tensor<1x8x14x4xi8>
}
