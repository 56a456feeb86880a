// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-block-reductions))' | FileCheck %s

// Six outputs of a row of %a: four, then two.

// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func @product
func.func @product(%a: memref<3x8xi8>, %b: memref<6x8xi8>, %out: memref<3x6xi32>) {
  // CHECK: %[[B1:.*]] = memref.subview %{{.*}}[1, 0] [1, 8] [4, 1] : memref<6x8xi8> to memref<1x8xi8, strided<[32, 1], offset: 8>>
  // CHECK: %[[OUT3:.*]] = memref.subview %{{.*}}[0, 3] [3, 1] [1, 4]
  // CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[B]], #[[B]], #[[B]], #[[OUT]], #[[OUT]], #[[OUT]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}}, %[[B1]], {{.*}} outs({{.*}}, %[[OUT3]] :
  // CHECK-COUNT-4: arith.muli
  // CHECK: linalg.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i32, i32
  // CHECK: linalg.generic
  // CHECK-COUNT-2: arith.muli
  // CHECK: linalg.yield %{{.*}}, %{{.*}} : i32, i32
  // CHECK-NOT: linalg.generic
  linalg.generic {indexing_maps = [#a, #b, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xi8>, memref<6x8xi8>) outs(%out : memref<3x6xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %wide_x = arith.extsi %x : i8 to i32
    %wide_y = arith.extsi %y : i8 to i32
    %0 = arith.muli %wide_x, %wide_y : i32
    %1 = arith.addi %sum, %0 : i32
    linalg.yield %1 : i32
  }
  return
}
