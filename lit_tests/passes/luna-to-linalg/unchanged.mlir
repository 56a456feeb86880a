// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-to-linalg))' | FileCheck %s

// What is not of the unit stays.
// CHECK-LABEL: func.func @main
// CHECK: luna.region
// CHECK: luna.dma_start
// CHECK: luna.dma_wait
// CHECK: tosa.add
// CHECK: luna.quantize
func.func @main(%a: memref<16xi8>, %b: memref<16xi8>, %x: tensor<4xf32>, %scale: tensor<f32>) -> tensor<4xi8> {
  luna.region 0 {
    %t = luna.dma_start %a to %b : memref<16xi8> to memref<16xi8>
    luna.dma_wait %t
    luna.yield
  }
  %y = tosa.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %q = luna.quantize %y, %scale : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  return %q : tensor<4xi8>
}
