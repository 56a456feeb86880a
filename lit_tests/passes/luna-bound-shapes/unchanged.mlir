// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-shapes))' | FileCheck %s

// CHECK-LABEL: @static(
// CHECK: tosa.abs %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: return %{{.*}} : tensor<4xf32>
func.func @static(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = tosa.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// Open arguments are for --dim.
// CHECK-LABEL: @argument(
// CHECK: tosa.abs %{{.*}} : (tensor<?xf32>) -> tensor<?xf32>
func.func @argument(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = tosa.abs %x : (tensor<?xf32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// As upstream lowers tosa.scatter: the type of the slice folds.
// CHECK-LABEL: @constant(
// CHECK: tensor.extract_slice %{{.*}} : tensor<4x8xf32> to tensor<?x?xf32>
// CHECK: tensor.insert_slice
func.func @constant(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %i: index) -> tensor<4x8xf32> {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = tensor.extract_slice %x[%i, 0] [%c1, %c8] [1, 1] : tensor<4x8xf32> to tensor<?x?xf32>
  %r = tensor.insert_slice %s into %y[%i, 0] [%c1, %c8] [1, 1] : tensor<?x?xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
