// RUN: not mlir-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-scf))' 2>&1 | FileCheck %s
//
// [mlir][tosa] tosa-to-scf makes an invalid tensor.extract of a condition of
// rank 1
//
// The verifier of tosa.cond_if takes a condition of one element and any rank
// ("size(condition) is 1" in the specification), as tosa.while_loop does.
// tosa-to-scf reads it by tensor.extract without indices, which is right for
// rank 0 only. Expected: an index 0 for each dimension.
//
// Worked around by passes/upstream_fixes/flatten_conditions.c.

// CHECK: error: 'tensor.extract' op incorrect number of indices
func.func @main(%c: tensor<1xi1>, %x: tensor<4xi8>) -> tensor<4xi8> {
  %r = tosa.cond_if %c : tensor<1xi1> -> tensor<4xi8> {
    tosa.yield %x : tensor<4xi8>
  } else {
    %n = tosa.abs %x : (tensor<4xi8>) -> tensor<4xi8>
    tosa.yield %n : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
