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

// Inputs may not be written to; what says so, or otherwise, already stays.
// CHECK-LABEL: func.func @inputs(
// CHECK-SAME: %{{[^:]*}}: tensor<4xi8> {bufferization.writable = false},
// CHECK-SAME: %{{[^:]*}}: tensor<2xi8> {bufferization.writable = true},
// CHECK-SAME: %{{[^:]*}}: tensor<2xi8> {bufferization.writable = false, tf.name = "c"})
func.func @inputs(%a: tensor<4xi8>, %b: tensor<2xi8> {bufferization.writable = true}, %c: tensor<2xi8> {tf.name = "c"}) {
  return
}
