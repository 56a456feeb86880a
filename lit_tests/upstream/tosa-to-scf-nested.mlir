// RUN: not mlir-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-scf))' 2>&1 | FileCheck %s
//
// [mlir][tosa] tosa-to-scf fails on a tosa.cond_if within a tosa.cond_if
//
// The pattern for tosa.cond_if inlines its regions into those of an scf.if. A
// tosa.cond_if in them is not legalised again, since the pattern does not allow
// recursion (setHasBoundedRewriteRecursion), so the conversion fails.
// tosa.while_loop in tosa.while_loop fails likewise. Expected: nested control
// flow converts, as it does where the kinds alternate.
//
// Worked around by passes/upstream_fixes/flatten_conditions.c.

// CHECK: error: failed to legalize operation 'tosa.cond_if' that was explicitly marked illegal
func.func @main(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<4xi8>) -> tensor<4xi8> {
  %r = tosa.cond_if %c : tensor<i1> -> tensor<4xi8> {
    %s = tosa.cond_if %d : tensor<i1> -> tensor<4xi8> {
      tosa.yield %x : tensor<4xi8>
    } else {
      %n = tosa.abs %x : (tensor<4xi8>) -> tensor<4xi8>
      tosa.yield %n : tensor<4xi8>
    }
    tosa.yield %s : tensor<4xi8>
  } else {
    tosa.yield %x : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
