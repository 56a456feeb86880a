// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-fold-constants)' | FileCheck %s

// Weights that a framework stores gate by gate are put in order while compiling.
// CHECK-LABEL: func.func @main(
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[}}1, 5, 3], [2, 6, 4]]]> : tensor<1x2x3xi8>}>
// CHECK-NOT: tosa.concat
// CHECK-NOT: tosa.transpose
// CHECK: tosa.matmul %{{.*}}, %[[W]]
func.func @main(%x: tensor<1x4x2xi8>) -> tensor<1x4x3xi32> {
  %i = "tosa.const"() <{values = dense<[[[1, 2]]]> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2xi8>
  %f = "tosa.const"() <{values = dense<[[[3, 4]]]> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2xi8>
  %o = "tosa.const"() <{values = dense<[[[5, 6]]]> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2xi8>
  %rows = tosa.concat %i, %o, %f {axis = 1 : i32} : (tensor<1x1x2xi8>, tensor<1x1x2xi8>, tensor<1x1x2xi8>) -> tensor<1x3x2xi8>
  %w = tosa.transpose %rows {perms = array<i32: 0, 2, 1>} : (tensor<1x3x2xi8>) -> tensor<1x2x3xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.matmul %x, %w, %z, %z : (tensor<1x4x2xi8>, tensor<1x2x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x3xi32>
  return %y : tensor<1x4x3xi32>
}
