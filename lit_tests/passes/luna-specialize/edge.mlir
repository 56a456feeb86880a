// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-specialize)' | FileCheck %s

// Versions that are the same program are one case.
// CHECK-LABEL: func.func @same
// CHECK-SAME: luna.cases = array<i32: 0, 0>
// CHECK: luna.label "shape" = "2x6+6x2"
// CHECK-NOT: luna.label
func.func @same(%x: tensor<12xi8>) -> tensor<12xi8> attributes {luna.version = "2x6"} {
  %y = tosa.abs %x : (tensor<12xi8>) -> tensor<12xi8>
  return %y : tensor<12xi8>
}
func.func @same_0(%x: tensor<12xi8>) -> tensor<12xi8> attributes {luna.version = "6x2"} {
  %y = tosa.abs %x : (tensor<12xi8>) -> tensor<12xi8>
  return %y : tensor<12xi8>
}
