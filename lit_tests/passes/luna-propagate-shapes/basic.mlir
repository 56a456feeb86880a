// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-propagate-shapes)' | FileCheck %s --implicit-check-not=tosa.dim

// What a size of 1 would broadcast to is known.
// CHECK-LABEL: @broadcast
// CHECK-SAME: luna.sizes = ["arg0.0 >= 1, <= 2", "arg0.2 >= 1, <= 4", "arg0.0 == 2, or one of them 1", "arg0.2 == 4, or one of them 1"]
// CHECK: tosa.add {{.*}} -> tensor<2x8x4xf32>
func.func @broadcast(%x: tensor<?x8x?xf32>, %y: tensor<2x8x4xf32>) -> tensor<*xf32> {
  %r = tosa.add %x, %y : (tensor<?x8x?xf32>, tensor<2x8x4xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// CHECK-LABEL: @backward(%arg0: tensor<4x5x6xf32>)
func.func @backward(%x: tensor<?x?x?xf32>) -> tensor<4x5x6xf32> {
  %r = tosa.abs %x : (tensor<?x?x?xf32>) -> tensor<4x5x6xf32>
  return %r : tensor<4x5x6xf32>
}

// A stride must divide, so an extent follows from its result's.
// CHECK-LABEL: @pool(%arg0: tensor<1x32x?x4xf32>)
// CHECK-SAME: luna.sizes = ["arg0.2 >= 2, mod 2 == 0"]
// CHECK: tosa.max_pool2d {{.*}} luna.shape = ["1, 16, arg0.2 floordiv 2, 4"]
func.func @pool(%x: tensor<1x?x?x4xf32>) -> tensor<1x16x?x4xf32> {
  %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x?x?x4xf32>) -> tensor<1x16x?x4xf32>
  return %r : tensor<1x16x?x4xf32>
}

// CHECK-LABEL: @reshape
// CHECK: tosa.reshape {{.*}} luna.shape = ["arg0.0, 3, 4"]
// CHECK: tosa.reshape {{.*}} luna.shape = ["12*arg0.0"]
func.func @reshape(%x: tensor<?x12xf32>) -> tensor<?xf32> {
  %s = tosa.const_shape {values = dense<[-1, 3, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %0 = tosa.reshape %x, %s : (tensor<?x12xf32>, !tosa.shape<3>) -> tensor<?x?x?xf32>
  %1 = tosa.reshape %0, %t : (tensor<?x?x?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// Types that attributes tie stay; casts say what is known.
// CHECK-LABEL: @tied
// CHECK: %[[C:.*]] = arith.constant 2 : index
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[C]], 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[S]] {{.*}} : tensor<?x8xf32> into tensor<?xf32>
// CHECK: tensor.cast %[[F]] : tensor<?xf32> to tensor<16xf32>
func.func @tied(%x: tensor<4x8xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %rows = tensor.dim %x, %c0 : tensor<4x8xf32>
  %half = arith.divui %rows, %c2 : index
  %s = tensor.extract_slice %x[0, 0] [%half, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  return %c : tensor<?xf32>
}

// CHECK-LABEL: @linalg
// CHECK: tensor.cast %{{.*}} : tensor<?x?xf32> to tensor<8x4xf32>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}} : tensor<8x4xf32>)
func.func @linalg(%x: tensor<4x8xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<4x8xf32>
  %d1 = tensor.dim %x, %c1 : tensor<4x8xf32>
  %y = tensor.cast %x : tensor<4x8xf32> to tensor<?x?xf32>
  %e = tensor.empty(%d1, %d0) : tensor<?x?xf32>
  %r = linalg.transpose ins(%y : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}

// What a matrix product unifies, also where only the map says so.
// CHECK-LABEL: @loops
// CHECK-SAME: %arg0: tensor<4x8xf32>, %arg1: tensor<8x?xf32>
// CHECK: linalg.matmul {{.*}} luna.shape = ["4, arg1.1"]
func.func @loops(%x: tensor<4x?xf32>, %y: tensor<8x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%x, %y : tensor<4x?xf32>, tensor<8x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

#half = affine_map<(d0)[s0] -> (d0 floordiv 2 + s0 * 3)>
// CHECK-LABEL: @arithmetic
// CHECK: tensor.empty({{.*}}) {luna.class = "ISDOS", luna.shape = ["arg0.0 floordiv 2 + 3*arg0.1, max(arg0.0, arg0.1)"]}
func.func @arithmetic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %h = affine.apply #half(%d0)[%d1]
  %m = arith.maxui %d0, %d1 : index
  %e = tensor.empty(%h, %m) : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
