// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-block-reductions))' | FileCheck %s

// No input is that of several outputs, one is but is not read, outputs are not
// sums, the number of the output is read, or there is one output.
// CHECK-LABEL: func.func @unchanged
// CHECK: linalg.reduce
// CHECK: linalg.pooling_nhwc_max
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: linalg.matmul
// CHECK-NOT: linalg.generic
func.func @unchanged(%a: memref<8x5xf32>, %b: memref<5x1xf32>, %rows: memref<8xf32>, %image: memref<1x4x4x8xf32>,
                     %window: memref<2x2xf32>, %small: memref<1x2x2x8xf32>, %out: memref<8x5xf32>, %one: memref<1x1xf32>, %row: memref<1x5xf32>) {
  linalg.reduce ins(%a : memref<8x5xf32>) outs(%rows : memref<8xf32>) dimensions = [1]
    (%x: f32, %sum: f32) {
      %0 = arith.addf %sum, %x : f32
      linalg.yield %0 : f32
    }
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%image, %window : memref<1x4x4x8xf32>, memref<2x2xf32>) outs(%small : memref<1x2x2x8xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<8xf32>) outs(%out : memref<8x5xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (k, 0)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%b : memref<5x1xf32>) outs(%rows : memref<8xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %0 = arith.mulf %x, %f : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.matmul ins(%row, %b : memref<1x5xf32>, memref<5x1xf32>) outs(%one : memref<1x1xf32>)
  return
}
