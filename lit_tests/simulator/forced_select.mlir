// A result of an if that is the same value on each path becomes a select in
// front of it. It follows the decision when that is forced, in the program and
// in the reference.

// RUN: lunac run %s --random-input=1 --check | FileCheck %s
// CHECK-DAG: if0=then
// CHECK-DAG: if0=else
// CHECK: 0 hazards; 3 runs equal the upstream CPU path bit for bit

func.func @main(%x: tensor<4xi8>, %y: tensor<4xi8>, %f: tensor<i1>) -> tensor<4xi8> {
  %b = tensor.extract %f[] : tensor<i1>
  %q = tosa.maximum %x, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %r:2 = scf.if %b -> (tensor<4xi8>, tensor<4xi8>) {
    %m = tosa.minimum %x, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
    scf.yield %m, %x : tensor<4xi8>, tensor<4xi8>
  } else {
    %m = tosa.maximum %q, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
    scf.yield %m, %q : tensor<4xi8>, tensor<4xi8>
  }
  %w = tosa.bitwise_xor %r#0, %r#1 : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %w : tensor<4xi8>
}
