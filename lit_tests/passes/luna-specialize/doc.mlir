// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-specialize)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[SHAPE:.*]]: tensor<1xi32> {luna.cases = array<i32: 0, 1>, luna.name = "shape"}
// CHECK-SAME: %[[X:.*]]: tensor<8xi8> {luna.shapes = {{\[}}array<i64: 1, 4>, array<i64: 2, 4>]}
// CHECK-SAME: %[[Y:.*]]: memref<8xi8> {bufferize.result, luna.shapes
// CHECK: scf.index_switch
// CHECK: case 0 {
// CHECK:   luna.label "shape" = "1x4"
// CHECK:   tosa.slice %[[X]]
// CHECK:   %[[START:.*]] = memref.subview %[[Y]][0] [4] [1]
// CHECK:   bufferization.materialize_in_destination %{{.*}} in restrict writable %[[START]]
// CHECK: default {
// CHECK:   luna.label "shape" = "2x4"
// CHECK-NOT: func.func
func.func @main(%x: tensor<1x4xi8>) -> tensor<1x4xi8> attributes {luna.version = "1x4"} {
  %y = tosa.abs %x : (tensor<1x4xi8>) -> tensor<1x4xi8>
  return %y : tensor<1x4xi8>
}
func.func @main_0(%x: tensor<2x4xi8>) -> tensor<2x4xi8> attributes {luna.version = "2x4"} {
  %y = tosa.abs %x : (tensor<2x4xi8>) -> tensor<2x4xi8>
  return %y : tensor<2x4xi8>
}
