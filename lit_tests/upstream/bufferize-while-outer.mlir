// RUN: mlir-opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map},canonicalize)' | FileCheck %s
//
// [mlir][bufferization] an scf.while writes to a value from outside that its
// second region yields
//
// Each iteration writes to what it receives, and passes on the function's
// argument, which is read after the loop. One-shot bufferisation copies what
// the loop begins with, but not what it yields: from the second iteration on
// the store is to the argument itself, and the load after the loop reads %v.
// Expected: a copy on the yield (or an error, as without
// allow-return-allocs-from-loops).
//
// Worked around by passes/upstream_fixes/prepare_bufferization.c.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: memref<4xi8>, %[[V:.*]]: i8
// CHECK: scf.while (%[[A:[a-z0-9]+]] = %
// CHECK: memref.store %[[V]], %[[A]]
// CHECK: scf.yield %[[X]]
// CHECK: memref.load %[[X]]
func.func @main(%x: tensor<4xi8>, %v: i8, %n: index) -> (tensor<4xi8>, i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %x, %i = %n) : (tensor<4xi8>, index) -> (tensor<4xi8>, index) {
    %goes_on = arith.cmpi ne, %i, %c0 : index
    %b = tensor.insert %v into %a[%c1] : tensor<4xi8>
    scf.condition(%goes_on) %b, %i : tensor<4xi8>, index
  } do {
  ^bb0(%a: tensor<4xi8>, %i: index):
    %m = arith.subi %i, %c1 : index
    scf.yield %x, %m : tensor<4xi8>, index
  }
  %e = tensor.extract %x[%c1] : tensor<4xi8>
  return %r#0, %e : tensor<4xi8>, i8
}
