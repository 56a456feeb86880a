// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-block-reductions))' | FileCheck %s

// A window that slides: where its dimension is not alone, maps have the place.
// CHECK-DAG: #[[X0:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 * 6 + d2)>
// CHECK-DAG: #[[X1:.*]] = affine_map<(d0, d1, d2) -> (d0, (d1 * 3 + 1) * 2 + d2)>
// CHECK-DAG: #[[X2:.*]] = affine_map<(d0, d1, d2) -> (d0, (d1 * 3 + 2) * 2 + d2)>

// CHECK-LABEL: func.func @windows
// CHECK: linalg.generic {indexing_maps = [#[[X0]], #[[X1]], #[[X2]], #{{[a-z0-9]+}}, #[[OUT:[a-z0-9]+]], #[[OUT]], #[[OUT]]],
// CHECK-SAME: outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<16x1xf32,
// CHECK-NOT: linalg.generic
func.func @windows(%x: memref<16x9xf32>, %w: memref<16x5xf32>, %out: memref<16x3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(c, i, k) -> (c, i * 2 + k)>, affine_map<(c, i, k) -> (c, k)>, affine_map<(c, i, k) -> (c, i)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<16x9xf32>, memref<16x5xf32>) outs(%out : memref<16x3xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// Named operators, too; of equal widths the innermost dimension.
// CHECK-LABEL: func.func @named
// CHECK: memref.subview %{{.*}}[0, 3] [5, 2] [1, 4]
// CHECK: linalg.generic
// CHECK-NOT: linalg.matmul
func.func @named(%a: memref<8x5xf32>, %b: memref<5x8xf32>, %out: memref<8x8xf32>) {
  linalg.matmul ins(%a, %b : memref<8x5xf32>, memref<5x8xf32>) outs(%out : memref<8x8xf32>)
  return
}

// Of a column, rows.
// CHECK-LABEL: func.func @column
// CHECK: memref.subview %{{.*}}[3, 0] [2, 5] [4, 1]
// CHECK: linalg.generic
func.func @column(%a: memref<8x5xf32>, %b: memref<5x1xf32>, %out: memref<8x1xf32>) {
  linalg.matmul ins(%a, %b : memref<8x5xf32>, memref<5x1xf32>) outs(%out : memref<8x1xf32>)
  return
}
