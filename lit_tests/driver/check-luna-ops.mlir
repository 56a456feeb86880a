// Upstream MLIR cannot compute LUNA's own operators: --check says so.
// RUN: %source/lit_tests/driver/Inputs/exit-code 2 lunac run %s --random-input=1 --check 2>&1 | FileCheck %s
// RUN: lunac run %s --random-input=1 | FileCheck %s --check-prefix=RAN

// CHECK: lunac: error: the model has operators of LUNA itself (luna.add), which upstream MLIR cannot compute; leave out --check and compare with --expect
// RAN: 0 hazards
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %o = tensor.empty() : tensor<4xi8>
  %r = luna.add ins(%x, %x : tensor<4xi8>, tensor<4xi8>) outs(%o : tensor<4xi8>) {requant = #luna.requant<mode = shift, shift = 1>} -> tensor<4xi8>
  return %r : tensor<4xi8>
}
