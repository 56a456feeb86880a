// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-drop-dead-inits))' | FileCheck %s

// A loop that may not run gives its start; one that hands it on to a result
// that is used, or to a value that is read, keeps it.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @kept(%n: index, %x: tensor<4xi8>, %y: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %maybe:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xi8>, tensor<4xi8>) {
    %m = tosa.abs %a : (tensor<4xi8>) -> tensor<4xi8>
    scf.yield %m, %a : tensor<4xi8>, tensor<4xi8>
  }
  %swap:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xi8>, tensor<4xi8>) {
    scf.yield %b, %a : tensor<4xi8>, tensor<4xi8>
  }
  %later:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xi8>, tensor<4xi8>) {
    %m = tosa.abs %a : (tensor<4xi8>) -> tensor<4xi8>
    scf.yield %b, %m : tensor<4xi8>, tensor<4xi8>
  }
  return %maybe#1, %swap#0, %later#1 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// Nothing is known of a tensor of unknown size, and what is no tensor stays.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @others(%x: tensor<?xi8>, %y: i32) -> (tensor<?xi8>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xi8>, i32) {
    scf.yield %x, %one : tensor<?xi8>, i32
  }
  return %r#0, %r#1 : tensor<?xi8>, i32
}
