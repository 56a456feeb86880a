// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-specialize)' | FileCheck %s

// An input of one shape stays as it is, and so does a state; equal constants
// are one, before the switch.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{[^:]*}}: tensor<1xi32>
// CHECK-SAME: %[[K:[^:]*]]: tensor<1x4xi8> {luna.name = "k", luna.shapes = {{\[}}array<i64: 1, 4>, array<i64: 1, 4>]}
// CHECK-SAME: %[[S:[^:]*]]: tensor<1xi8> {luna.state = "s"}
// CHECK-SAME: %{{[^:]*}}: tensor<8xi8>
// CHECK-COUNT-1: "tosa.const"() <{values = dense<{{\[\[}}1, 2, 3, 4]]>
// CHECK: scf.index_switch
// CHECK-NOT: "tosa.const"() <{values = dense<{{\[\[}}1, 2, 3, 4]]>
// CHECK: bufferization.materialize_in_destination %[[S]] in
func.func @main(%k: tensor<1x4xi8> {luna.name = "k"}, %s: tensor<1xi8> {luna.state = "s"}, %x: tensor<1x4xi8>)
    -> (tensor<1x4xi8>, tensor<1xi8> {luna.state = "s"}) attributes {luna.version = "1"} {
  %c = "tosa.const"() <{values = dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>}> : () -> tensor<1x4xi8>
  %a = tosa.bitwise_and %x, %c : (tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<1x4xi8>
  %y = tosa.bitwise_or %a, %k : (tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<1x4xi8>
  return %y, %s : tensor<1x4xi8>, tensor<1xi8>
}
func.func @main_0(%k: tensor<1x4xi8> {luna.name = "k"}, %s: tensor<1xi8> {luna.state = "s"}, %x: tensor<2x4xi8>)
    -> (tensor<2x4xi8>, tensor<1xi8> {luna.state = "s"}) attributes {luna.version = "2"} {
  %c = "tosa.const"() <{values = dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>}> : () -> tensor<1x4xi8>
  %a = tosa.bitwise_and %x, %c : (tensor<2x4xi8>, tensor<1x4xi8>) -> tensor<2x4xi8>
  %y = tosa.bitwise_or %a, %k : (tensor<2x4xi8>, tensor<1x4xi8>) -> tensor<2x4xi8>
  return %y, %s : tensor<2x4xi8>, tensor<1xi8>
}
