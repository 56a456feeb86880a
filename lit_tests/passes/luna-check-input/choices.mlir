// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-input))' \
// RUN:   | FileCheck %s
// A choice between tensors becomes an scf.if; one between elements or scalars
// stays.

// CHECK-LABEL: func.func @tensors
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (tensor<4xi8>) {
// CHECK-NEXT: scf.yield %[[A:.*]] : tensor<4xi8>
// CHECK: scf.yield %[[B:.*]] : tensor<4xi8>
// CHECK-NOT: arith.select
// CHECK: return %[[IF]]
func.func @tensors(%a: tensor<4xi8>, %b: tensor<4xi8>, %f: tensor<i1>) -> tensor<4xi8> {
  %c = tensor.extract %f[] : tensor<i1>
  %r = arith.select %c, %a, %b : tensor<4xi8>
  return %r : tensor<4xi8>
}

// CHECK-LABEL: func.func @elements
// CHECK: arith.select {{.*}} : tensor<4xi1>, tensor<4xi8>
// CHECK-NOT: scf.if
func.func @elements(%a: tensor<4xi8>, %b: tensor<4xi8>, %f: tensor<4xi1>) -> tensor<4xi8> {
  %r = arith.select %f, %a, %b : tensor<4xi1>, tensor<4xi8>
  return %r : tensor<4xi8>
}
