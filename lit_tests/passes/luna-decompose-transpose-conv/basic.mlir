// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-decompose-transpose-conv))' | FileCheck %s

// Stride 1: nothing stands between rows and columns, the kernel reaches over.
// CHECK-LABEL: func.func @dense
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 2, 1, 0] [1, 3, 3, 1] [1, 1, 1, 1] : tensor<1x3x3x1xi8> into tensor<1x7x5x1xi8>
// CHECK: tosa.conv2d
// CHECK-SAME: stride = array<i64: 1, 1>
// CHECK-NOT: tosa.transpose_conv2d
func.func @dense(%x: tensor<1x3x3x1xi8>) -> tensor<1x5x4x1xi32> {
  %w = "tosa.const"() <{values = dense<1> : tensor<1x3x2x1xi8>}> : () -> tensor<1x3x2x1xi8>
  %b = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<1x3x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x4x1xi32>
  return %y : tensor<1x5x4x1xi32>
}

// A kernel that is not constant is turned around where it is computed; strides
// differ, rows are added before.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x2x2x1xf32>, %[[W:[^:]*]]: tensor<1x2x2x1xf32>
// CHECK-DAG: tosa.reverse {{.*}} {axis = 1 : i32}
// CHECK-DAG: tosa.reverse {{.*}} {axis = 2 : i32}
// CHECK-DAG: tensor.insert_slice %[[X]] into {{.*}} [1, 2, 2, 1] [1, 3, 2, 1]
// CHECK: tosa.conv2d
func.func @computed(%x: tensor<1x2x2x1xf32>, %w: tensor<1x2x2x1xf32>) -> tensor<1x6x4x1xf32> {
  %b = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 3, 2>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x4x1xf32>
  return %y : tensor<1x6x4x1xf32>
}
