// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization)' | FileCheck %s

// A loop that passes on a value from outside, as it is, passes on a copy of it.
// CHECK-LABEL: func.func @outside(
// CHECK-SAME: %[[X:.*]]: tensor<4xi8>, %[[Y:.*]]: tensor<4xi8>
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: ^bb0(%[[A:.*]]: tensor<4xi8>):
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[Y]]) {memory_space = 0 : i64} : tensor<4xi8>
// CHECK: scf.yield %[[COPY]]
func.func @outside(%x: tensor<4xi8>, %y: tensor<4xi8>, %c: i1) -> tensor<4xi8> {
  %r = scf.while (%a = %x) : (tensor<4xi8>) -> tensor<4xi8> {
    scf.condition(%c) %a : tensor<4xi8>
  } do {
  ^bb0(%a: tensor<4xi8>):
    scf.yield %y : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}

// So does one that passes on a part of it, or takes it in one of two branches.
// CHECK-LABEL: func.func @part(
// CHECK: %[[PART:.*]] = tensor.extract_slice
// CHECK: %[[IF:.*]] = scf.if
// CHECK-DAG: bufferization.alloc_tensor() copy(%[[PART]])
// CHECK-DAG: bufferization.alloc_tensor() copy(%[[IF]])
// CHECK: scf.yield
func.func @part(%x: tensor<4xi8>, %y: tensor<8xi8>, %c: i1) -> (tensor<4xi8>, tensor<4xi8>) {
  %r:2 = scf.while (%a = %x, %b = %x) : (tensor<4xi8>, tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
    scf.condition(%c) %a, %b : tensor<4xi8>, tensor<4xi8>
  } do {
  ^bb0(%a: tensor<4xi8>, %b: tensor<4xi8>):
    %part = tensor.extract_slice %y[2] [4] [1] : tensor<8xi8> to tensor<4xi8>
    %n = tosa.abs %b : (tensor<4xi8>) -> tensor<4xi8>
    %if = scf.if %c -> (tensor<4xi8>) {
      scf.yield %n : tensor<4xi8>
    } else {
      scf.yield %x : tensor<4xi8>
    }
    scf.yield %part, %if : tensor<4xi8>, tensor<4xi8>
  }
  return %r#0, %r#1 : tensor<4xi8>, tensor<4xi8>
}
