// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-drop-dead-inits))' | FileCheck %s

// The second value of each iteration is the first of the one before: what it
// starts with is never seen.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xi8>, %[[Y:.*]]: tensor<4xi8>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[X]], %{{.*}} = %[[EMPTY]])
func.func @main(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xi8>, tensor<4xi8>) {
    %n = tosa.abs %a : (tensor<4xi8>) -> tensor<4xi8>
    scf.yield %n, %a : tensor<4xi8>, tensor<4xi8>
  }
  return %r#1 : tensor<4xi8>
}
