// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-quantize-to-linalg))' | FileCheck %s

// A single number: no loops.
// CHECK-LABEL: func.func @scalar(
// CHECK: linalg.generic {{.*}}iterator_types = []} ins(%{{.*}} : tensor<f32>)
// CHECK: linalg.yield %{{.*}} : i8
func.func @scalar(%x: tensor<f32>) -> tensor<i8> {
  %scale = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %q = luna.quantize %x, %scale : (tensor<f32>, tensor<f32>) -> tensor<i8>
  return %q : tensor<i8>
}

// No elements.
// CHECK-LABEL: func.func @none(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<0x4xi8>)
func.func @none(%x: tensor<0x4xi8>) -> tensor<0x4xf32> {
  %scale = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %d = luna.dequantize %x, %scale : (tensor<0x4xi8>, tensor<f32>) -> tensor<0x4xf32>
  return %d : tensor<0x4xf32>
}

// A scale that is not constant is an input; that of one element is constant in
// the body.
// CHECK-LABEL: func.func @scales(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xi8>, %[[S:[^:]*]]: tensor<f32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[S]] : tensor<4xi8>, tensor<f32>)
func.func @scales(%x: tensor<4xi8>, %s: tensor<f32>) -> tensor<4xf32> {
  %d = luna.dequantize %x, %s : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}
