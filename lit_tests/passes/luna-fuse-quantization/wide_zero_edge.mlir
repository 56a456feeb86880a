// Integers of 32 bits wrap when a zero point is taken off: a maximum of them is
// not that of their numbers. Without a zero point it is.
//
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-fuse-quantization))' | FileCheck %s
// RUN: lunac run %s --random-input=1 --check | FileCheck %s --check-prefix=RAN
// CHECK: tosa.max_pool2d {{.*}} : (tensor<1x4x4x1xf32>)
// CHECK: tosa.max_pool2d {{.*}} : (tensor<1x4x4x1xi32>)
// RAN: 0 hazards; 1 runs equal the upstream CPU path bit for bit
// RAN: literal reference: 0 of 0 luna.quantize and 2 results compared

func.func @main(%x: tensor<1x4x4x1xi32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) {
  %scale = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %one = "tosa.const"() <{values = dense<2000000000> : tensor<i32>}> : () -> tensor<i32>
  %a = luna.dequantize %x, %scale, %one : (tensor<1x4x4x1xi32>, tensor<f32>, tensor<i32>) -> tensor<1x4x4x1xf32>
  %b = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %c = luna.dequantize %x, %scale : (tensor<1x4x4x1xi32>, tensor<f32>) -> tensor<1x4x4x1xf32>
  %d = tosa.max_pool2d %c {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  return %b, %d : tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>
}
