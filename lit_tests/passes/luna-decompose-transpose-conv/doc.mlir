// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-decompose-transpose-conv))' | FileCheck %s

// Each row and column stands two apart, with the zero point between; the kernel
// is turned around.
// CHECK-LABEL: func.func @main
// CHECK: %[[FILLED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x5x5x1xi8>)
// CHECK: linalg.yield %c-7_i8 : i8
// CHECK: %[[SPREAD:.*]] = tensor.insert_slice %arg0 into %[[FILLED]][0, 1, 1, 0] [1, 2, 2, 1] [1, 2, 2, 1]
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}4], [3]], {{\[\[}}2], [1]]]]> : tensor<1x2x2x1xi8>}>
// CHECK: tosa.conv2d %[[SPREAD]], %[[W]]
// CHECK-SAME: pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
// CHECK-SAME: -> tensor<1x4x4x1xi32>
func.func @main(%x: tensor<1x2x2x1xi8>) -> tensor<1x4x4x1xi32> {
  %w = "tosa.const"() <{values = dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>}> : () -> tensor<1x2x2x1xi8>
  %b = "tosa.const"() <{values = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
  %xz = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.transpose_conv2d %x, %w, %b, %xz, %wz {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  return %y : tensor<1x4x4x1xi32>
}
