// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-shapes))' | FileCheck %s

// CHECK-LABEL: @slices(
// CHECK-SAME: %[[X:.*]]: tensor<64xi8>, %[[Z:.*]]: tensor<64xi8>, %[[N:.*]]: index
func.func @slices(%x: tensor<64xi8>, %z: tensor<64xi8>, %n: index) -> tensor<64xi8> {
  // CHECK: %[[COUNT:.*]] = arith.maxsi %[[N]],
  // CHECK: %[[S:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<32xi8>)
  // CHECK: tensor.extract %[[X]]
  %s = tensor.extract_slice %x[0] [%n] [2] : tensor<64xi8> to tensor<?xi8>
  // CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<64xi8>)
  // CHECK: arith.cmpi slt, %{{.*}}, %[[COUNT]]
  // CHECK: tensor.extract %[[S]]
  %r = tensor.insert_slice %s into %z[0] [%n] [1] : tensor<?xi8> into tensor<64xi8>
  // CHECK: return %[[R]] : tensor<64xi8>
  return %r : tensor<64xi8>
}

// CHECK-LABEL: @operators(
func.func @operators(%x: tensor<6x4xf32>, %row: tensor<1x4xf32>, %n: index) -> (tensor<1x4xf32>, tensor<?x1xf32>, index) {
  // The constant offset leaves 5.
  // CHECK: %[[COUNT:.*]] = arith.maxsi
  %s = tensor.extract_slice %x[1, 0] [%n, 4] [1, 1] : tensor<6x4xf32> to tensor<?x4xf32>
  // CHECK: tosa.add %{{.*}} : (tensor<5x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
  %a = tosa.add %s, %row : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  // CHECK: tosa.sub %{{.*}} : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  %b = tosa.sub %a, %s : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: %[[MASKED:.*]] = linalg.generic
  // CHECK: arith.cmpi slt, %{{.*}}, %[[COUNT]]
  // CHECK: %[[SUM:.*]] = tosa.reduce_sum %[[MASKED]] {axis = 0 : i32}
  %c = tosa.reduce_sum %b {axis = 0 : i32} : (tensor<?x4xf32>) -> tensor<1x4xf32>
  // CHECK: tosa.reduce_max %{{.*}} {axis = 1 : i32} : (tensor<5x4xf32>) -> tensor<5x1xf32>
  %d = tosa.reduce_max %b {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x1xf32>
  %zero = arith.constant 0 : index
  %e = tensor.dim %b, %zero : tensor<?x4xf32>
  // CHECK: return %[[SUM]], %{{.*}}, %[[COUNT]], %{{.*}} : tensor<1x4xf32>, tensor<5x1xf32>, index, tensor<1xi32>
  return %c, %d, %e : tensor<1x4xf32>, tensor<?x1xf32>, index
}

// What is dead may be 0: no division by it.
// CHECK-LABEL: @division(
func.func @division(%x: tensor<6xi32>, %one: tensor<1xi32>, %n: index) -> tensor<?xi32> {
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<6xi32> to tensor<?xi32>
  // CHECK: linalg.generic
  // CHECK: %[[MASKED:.*]] = linalg.generic
  // CHECK: arith.constant 1 : i32
  // CHECK: tosa.intdiv %{{.*}}, %[[MASKED]]
  %d = tosa.intdiv %one, %s : (tensor<1xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %d : tensor<?xi32>
}

// The program says that a size is 2, and that all of 2 are live.
// CHECK-LABEL: @casts(
func.func @casts(%x: tensor<6xi32>, %n: index) -> tensor<2xi32> {
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<6xi32> to tensor<?xi32>
  // CHECK: tosa.slice %{{.*}} -> tensor<2xi32>
  %d = tensor.cast %s : tensor<?xi32> to tensor<2xi32>
  return %d : tensor<2xi32>
}
