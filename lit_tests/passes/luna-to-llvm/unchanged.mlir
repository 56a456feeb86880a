// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm)' | FileCheck %s

// What is no memref, no operator of the dialect and no region stays: the
// arithmetic and the loops of a scalar are left to upstream's lowerings, each
// turn is announced.
// CHECK-LABEL: func.func @luna_model_scalars(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[TEN:.*]] = arith.constant 10 : index
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %[[ZERO]] to %[[TEN]] step %[[ONE]] iter_args(%[[S:.*]] = %[[ZERO]]) -> (index) {
// CHECK: %[[T:.*]] = arith.addi %[[S]], %[[I]] : index
// CHECK-NEXT: scf.yield %[[T]] : index
// CHECK-NEXT: }
// CHECK: scf.while (%[[W:.*]] = %[[SUM]]) : (index) -> index {
// CHECK: scf.condition
// CHECK: return
func.func @scalars(%arena: memref<0xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %sum = scf.for %i = %zero to %ten step %one iter_args(%s = %zero) -> index {
    %t = arith.addi %s, %i : index
    scf.yield %t : index
  }
  scf.while (%w = %sum) : (index) -> index {
    %more = arith.cmpi ult, %w, %ten : index
    scf.condition(%more) %w : index
  } do {
  ^bb0(%w: index):
    %t = arith.addi %w, %one : index
    scf.yield %t : index
  }
  return
}
