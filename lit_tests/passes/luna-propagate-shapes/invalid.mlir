// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(luna-propagate-shapes)'

func.func @product(%x: tensor<?x4xf32>, %y: tensor<6x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x4xf32>
  %d1 = tensor.dim %y, %c1 : tensor<6x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %z = tensor.cast %x : tensor<?x4xf32> to tensor<?x?xf32>
  // expected-error @below {{shapes do not fit: needs 4 == 6}}
  %r = linalg.matmul ins(%z, %y : tensor<?x?xf32>, tensor<6x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

func.func @stride(%x: tensor<1x?x8x4xf32>) -> tensor<1x?x4x4xf32> {
  %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x?x8x4xf32>) -> tensor<1x?x4x4xf32>
  // expected-error @below {{shapes do not fit: needs (arg0.1 - 1) mod 2 == 0}}
  %s = tosa.max_pool2d %x {kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x?x8x4xf32>) -> tensor<1x?x4x4xf32>
  return %s : tensor<1x?x4x4xf32>
}

// -----

func.func @broadcast(%x: tensor<3x8xf32>, %y: tensor<?x8xf32>, %z: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %0 = tosa.add %x, %y : (tensor<3x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-error @below {{shapes do not fit: needs 3 == 4, or one of them 1}}
  %1 = tosa.add %0, %z : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// An argument of which a size was chosen: the nearest that fulfil what all
// operators need, far from it or equal to another argument's.
func.func @rows(%x: tensor<1500xf32>) -> tensor<?x1000xf32> {
  %0 = tensor.cast %x : tensor<1500xf32> to tensor<?xf32>
  %1 = tosa.const_shape {values = dense<[-1, 1000]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @below {{shapes do not fit: needs (1500) mod 1000 == 0; arg0.0=1500: 1000 and 2000 are possible}}
  %2 = tosa.reshape %0, %1 : (tensor<?xf32>, !tosa.shape<2>) -> tensor<?x1000xf32>
  return %2 : tensor<?x1000xf32>
}

// -----

func.func @cut(%x: tensor<1x30x8x4xf32>, %y: tensor<1x7x4x4xf32>) -> tensor<1x?x?x4xf32> {
  %0 = tensor.cast %x : tensor<1x30x8x4xf32> to tensor<1x?x8x4xf32>
  // expected-error @below {{shapes do not fit: needs (26) mod 4 == 0; arg0.1=30: 28 is possible}}
  %1 = tosa.max_pool2d %0 {kernel = array<i64: 4, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 4, 2>} : (tensor<1x?x8x4xf32>) -> tensor<1x?x4x4xf32>
  %2 = tensor.cast %y : tensor<1x7x4x4xf32> to tensor<1x?x4x4xf32>
  %3 = tosa.add %1, %2 : (tensor<1x?x4x4xf32>, tensor<1x?x4x4xf32>) -> tensor<1x?x4x4xf32>
  %4 = tosa.concat %3, %y {axis = 2 : i32} : (tensor<1x?x4x4xf32>, tensor<1x7x4x4xf32>) -> tensor<1x?x?x4xf32>
  return %4 : tensor<1x?x?x4xf32>
}
