// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-drop-dead-inits))' | FileCheck %s

// What each iteration replaces unread; the scalar beside it stays.
// CHECK-LABEL: func.func @replaced(
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[EMPTY]], %{{.*}} = %{{c0_i32.*}}) -> (tensor<4xi8>, i32)
func.func @replaced(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tosa.abs %x : (tensor<4xi8>) -> tensor<4xi8>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %init, %n = %zero) -> (tensor<4xi8>, i32) {
    %y = tosa.abs %x : (tensor<4xi8>) -> tensor<4xi8>
    scf.yield %y, %zero : tensor<4xi8>, i32
  }
  return %r#0 : tensor<4xi8>
}

// Two that are passed on, and end where nothing uses them.
// CHECK-LABEL: func.func @unused(
// CHECK-DAG: %[[A:.*]] = tensor.empty() : tensor<4xi8>
// CHECK-DAG: %[[B:.*]] = tensor.empty() : tensor<2xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[A]], %{{.*}} = %[[B]])
func.func @unused(%x: tensor<4xi8>, %y: tensor<4xi8>, %z: tensor<2xi8>) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y, %c = %z) -> (tensor<4xi8>, tensor<4xi8>, tensor<2xi8>) {
    %n = tosa.abs %a : (tensor<4xi8>) -> tensor<4xi8>
    scf.yield %n, %b, %c : tensor<4xi8>, tensor<4xi8>, tensor<2xi8>
  }
  return %r#0 : tensor<4xi8>
}
