// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-decompose-transpose-conv))' | FileCheck %s

// What fills the gaps is known at run time only.
// CHECK-LABEL: func.func @zero_point_of_run_time
// CHECK: tosa.transpose_conv2d
func.func @zero_point_of_run_time(%x: tensor<1x2x2x1xi8>, %w: tensor<1x2x2x1xi8>, %xz: tensor<1xi8>) -> tensor<1x4x4x1xi32> {
  %b = "tosa.const"() <{values = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.transpose_conv2d %x, %w, %b, %xz, %wz {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
  return %y : tensor<1x4x4x1xi32>
}

// Other convolutions.
// CHECK-LABEL: func.func @depthwise
// CHECK: tosa.depthwise_conv2d
// CHECK-NOT: tosa.mul
func.func @depthwise(%x: tensor<1x2x2x1xf32>, %w: tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.depthwise_conv2d %x, %w, %z, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>
  return %y : tensor<1x4x4x1xf32>
}
