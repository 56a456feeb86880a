// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-shapes))' | FileCheck %s

// CHECK-LABEL: @slices(
// CHECK-SAME: %[[X:.*]]: tensor<64xi8>, %[[Z:.*]]: tensor<64xi8>, %[[N:.*]]: index
func.func @slices(%x: tensor<64xi8>, %z: tensor<64xi8>, %n: index) -> tensor<64xi8> {
  // CHECK: %[[MOST:.*]] = arith.maxsi %[[N]],
  // CHECK: %[[COUNT:.*]] = arith.minsi %[[MOST]],
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
  // CHECK: %[[COUNT:.*]] = arith.minsi
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

// Sums end at what is live: a mask before operators of TOSA, a choice in linalg.
// CHECK-LABEL: @sums(
func.func @sums(%x: tensor<1x6x4xf32>, %w: tensor<1x4x3xf32>, %init: tensor<4xf32>, %n: index) -> (tensor<1x?x3xf32>, tensor<1x1x4xf32>, tensor<1x4xi32>, tensor<4xf32>, tensor<1x4x4xf32>) {
  // CHECK: %[[COUNT:.*]] = arith.minsi
  %s = tensor.extract_slice %x[0, 0, 0] [1, %n, 4] [1, 1, 1] : tensor<1x6x4xf32> to tensor<1x?x4xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // CHECK: tosa.matmul {{.*}} -> tensor<1x6x3xf32>
  %a = tosa.matmul %s, %w, %z, %z : (tensor<1x?x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x3xf32>
  // CHECK: arith.constant 0xFF800000
  // CHECK: tosa.reduce_max
  %b = tosa.reduce_max %s {axis = 1 : i32} : (tensor<1x?x4xf32>) -> tensor<1x1x4xf32>
  // CHECK: arith.constant 0xFF800000
  // CHECK: tosa.argmax
  %c = tosa.argmax %s {axis = 1 : i32} : (tensor<1x?x4xf32>) -> tensor<1x4xi32>
  // CHECK: linalg.generic
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[OLD:.*]] : f32
  // CHECK: arith.cmpi slt, %{{.*}}, %[[COUNT]]
  // CHECK: arith.select %{{.*}}, %[[SUM]], %[[OLD]]
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%s : tensor<1x?x4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%e: f32, %old: f32):
    %sum = arith.addf %e, %old : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  // CHECK: tosa.transpose {{.*}} -> tensor<1x4x6xf32>
  %t = tosa.transpose %s {perms = array<i32: 0, 2, 1>} : (tensor<1x?x4xf32>) -> tensor<1x4x?xf32>
  // CHECK-COUNT-2: arith.cmpi slt, %{{.*}}, %[[COUNT]]
  // CHECK: tosa.matmul
  %f = tosa.matmul %t, %s, %z, %z : (tensor<1x4x?xf32>, tensor<1x?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %a, %b, %c, %d, %f : tensor<1x?x3xf32>, tensor<1x1x4xf32>, tensor<1x4xi32>, tensor<4xf32>, tensor<1x4x4xf32>
}

// Pieces one behind the other, and rows of other sizes.
// CHECK-LABEL: @moves(
func.func @moves(%x: tensor<6x4xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?xf32>) {
  // CHECK: %[[COUNT:.*]] = arith.minsi
  %s = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<6x4xf32> to tensor<?x4xf32>
  // CHECK: tensor.insert_slice {{.*}} into tensor<18x4xf32>
  // CHECK: tensor.insert_slice {{.*}} into tensor<18x4xf32>
  // CHECK: tensor.insert_slice {{.*}} into tensor<18x4xf32>
  %c = tosa.concat %s, %x, %s {axis = 0 : i32} : (tensor<?x4xf32>, tensor<6x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: %[[FOUR:.*]] = arith.constant 4 : index
  // CHECK: %[[MANY:.*]] = arith.muli %[[COUNT]], %[[FOUR]]
  // CHECK: tosa.reshape {{.*}} -> tensor<24xf32>
  %shape = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.reshape %s, %shape : (tensor<?x4xf32>, !tosa.shape<1>) -> tensor<?xf32>
  // CHECK: arith.index_cast %[[MANY]]
  return %c, %r : tensor<?x4xf32>, tensor<?xf32>
}

// The bound follows from the trip count: one row more in each of 4 iterations.
// CHECK-LABEL: @grows(
func.func @grows(%x: tensor<1x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.cast %x : tensor<1x8xf32> to tensor<?x8xf32>
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} -> (tensor<5x8xf32>, index)
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %e) -> tensor<?x8xf32> {
    %n = tensor.concat dim(0) %t, %x : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
    scf.yield %n : tensor<?x8xf32>
  }
  // CHECK: arith.index_cast %[[R]]#1
  return %r : tensor<?x8xf32>
}

// The loop says how much there may be.
// CHECK-LABEL: @bounds(
func.func @bounds(%x: tensor<1x8xf32>, %p: i1) -> tensor<?x8xf32> {
  %e = tensor.cast %x : tensor<1x8xf32> to tensor<?x8xf32>
  // CHECK: %[[R:.*]]:2 = scf.while {{.*}} -> (tensor<7x8xf32>, index)
  %r = scf.while (%t = %e) : (tensor<?x8xf32>) -> tensor<?x8xf32> {
    %zero = arith.constant 0 : index
    %most = arith.constant 7 : index
    %size = tensor.dim %t, %zero : tensor<?x8xf32>
    %go = arith.cmpi slt, %size, %most : index
    scf.condition(%go) %t : tensor<?x8xf32>
  } do {
  ^bb0(%t: tensor<?x8xf32>):
    %n = tosa.concat %t, %x {axis = 0 : i32} : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
    scf.yield %n : tensor<?x8xf32>
  } attributes {luna.bounds = array<i64: 7>}
  // CHECK-NOT: luna.bounds
  // CHECK: return
  return %r : tensor<?x8xf32>
}

// Slices of one size have the same, whatever they are of.
// CHECK-LABEL: @same_size(
func.func @same_size(%x: tensor<6xf32>, %y: tensor<6xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<6xf32> to tensor<?xf32>
  %t = tensor.extract_slice %y[0] [%n] [1] : tensor<6xf32> to tensor<?xf32>
  // CHECK: tosa.add {{.*}} -> tensor<6xf32>
  %r = tosa.add %s, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// What is behind the rows of a sum is its zero point, in both operands.
// CHECK-LABEL: @sum_of_integers(
func.func @sum_of_integers(%x: tensor<6x4xi8>, %n: index) -> tensor<1x4x4xi32> {
  %zero = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %shape = tosa.const_shape {values = dense<[1, -1, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %part = tensor.extract_slice %x[1, 0] [%n, 4] [1, 1] : tensor<6x4xi8> to tensor<?x4xi8>
  %rows = tosa.reshape %part, %shape : (tensor<?x4xi8>, !tosa.shape<3>) -> tensor<1x?x4xi8>
  %columns = tosa.transpose %rows {perms = array<i32: 0, 2, 1>} : (tensor<1x?x4xi8>) -> tensor<1x4x?xi8>
  // CHECK: arith.select %{{.*}}, %{{.*}}, %c-3_i8
  // CHECK: arith.select %{{.*}}, %{{.*}}, %c-3_i8
  // CHECK: tosa.matmul
  %sum = tosa.matmul %columns, %rows, %zero, %zero : (tensor<1x4x?xi8>, tensor<1x?x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4xi32>
  return %sum : tensor<1x4x4xi32>
}
