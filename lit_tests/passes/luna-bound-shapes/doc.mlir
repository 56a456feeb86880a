// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-shapes))' | FileCheck %s

func.func @main(%x: tensor<6x4xf32>, %p: i1) -> (tensor<?x4xf32> {luna.name = "y"}) {
  %r = scf.if %p -> tensor<?x4xf32> {
    %s = tensor.extract_slice %x[1, 0] [2, 4] [1, 1] : tensor<6x4xf32> to tensor<2x4xf32>
    %d = tensor.cast %s : tensor<2x4xf32> to tensor<?x4xf32>
    scf.yield %d : tensor<?x4xf32>
  } else {
    %d = tensor.cast %x : tensor<6x4xf32> to tensor<?x4xf32>
    scf.yield %d : tensor<?x4xf32>
  }
  %y = tosa.exp %r : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK: -> (tensor<6x4xf32> {luna.name = "y"}, tensor<1xi32> {luna.name = "y.size"})
// CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (tensor<6x4xf32>, index)
// CHECK: tosa.pad %{{.*}} -> tensor<6x4xf32>
// CHECK: tosa.exp %[[R]]#0 : (tensor<6x4xf32>) -> tensor<6x4xf32>
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[R]]#1 : index to i32
// CHECK: %[[TENSOR:.*]] = tensor.from_elements %[[SIZE]] : tensor<1xi32>
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK: return %[[Y]], %[[TENSOR]]
