// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-drop-dead-inits))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-drop-dead-inits,luna-drop-dead-inits))' | FileCheck %s

// An outer value that only starts what an inner loop never reads, and that goes
// around to where nobody looks.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[X:.*]]: tensor<4xi8>, %[[Y:.*]]: tensor<4xi8>
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[E0:.*]], %{{.*}} = %[[E1:.*]])
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[X]], %{{.*}} = %[[E2:.*]])
func.func @nested(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %y, %b = %x) -> (tensor<4xi8>, tensor<4xi8>) {
    %s:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%c = %x, %d = %a) -> (tensor<4xi8>, tensor<4xi8>) {
      %n = tosa.abs %c : (tensor<4xi8>) -> tensor<4xi8>
      scf.yield %n, %c : tensor<4xi8>, tensor<4xi8>
    }
    scf.yield %s#1, %a : tensor<4xi8>, tensor<4xi8>
  }
  return %r#0 : tensor<4xi8>
}

// One iteration is enough, and none is not.
// CHECK-LABEL: func.func @once(
// CHECK-SAME: %[[X:.*]]: tensor<4xi8>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[EMPTY]])
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[X]])
func.func @once(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c5 step %c9 iter_args(%a = %x) -> (tensor<4xi8>) {
    %n = "tosa.const"() <{values = dense<1> : tensor<4xi8>}> : () -> tensor<4xi8>
    scf.yield %n : tensor<4xi8>
  }
  %s = scf.for %i = %c5 to %c5 step %c9 iter_args(%a = %x) -> (tensor<4xi8>) {
    %n = "tosa.const"() <{values = dense<1> : tensor<4xi8>}> : () -> tensor<4xi8>
    scf.yield %n : tensor<4xi8>
  }
  return %r, %s : tensor<4xi8>, tensor<4xi8>
}
