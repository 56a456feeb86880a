// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-shapes))' --split-input-file --verify-diagnostics

func.func @matmul(%x: tensor<1x6x4xf32>, %w: tensor<1x4x3xf32>, %n: index) -> tensor<1x?x3xf32> {
  %s = tensor.extract_slice %x[0, 0, 0] [1, %n, 4] [1, 1, 1] : tensor<1x6x4xf32> to tensor<1x?x4xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error @below {{the size of dimension 1 is known while running only, which is not supported here}}
  %r = tosa.matmul %s, %w, %z, %z : (tensor<1x?x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x3xf32>
  return %r : tensor<1x?x3xf32>
}

// -----

func.func @largest(%x: tensor<6x4xf32>, %n: index) -> tensor<1x4xf32> {
  %s = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<6x4xf32> to tensor<?x4xf32>
  // expected-error @below {{the size of dimension 0 is known while running only}}
  %r = tosa.reduce_max %s {axis = 0 : i32} : (tensor<?x4xf32>) -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// -----

func.func @two_sizes(%x: tensor<6xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<6xf32> to tensor<?xf32>
  %t = tensor.extract_slice %x[0] [%m] [1] : tensor<6xf32> to tensor<?xf32>
  // expected-error @below {{two sizes of operands are known while running only, and may differ}}
  %r = tosa.add %s, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @two_dimensions(%x: tensor<6x4xf32>, %n: index) -> tensor<?x?xf32> {
  // expected-error @below {{several sizes are known while running only; one size is supported}}
  %s = tensor.extract_slice %x[0, 0] [%n, %n] [1, 1] : tensor<6x4xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// -----

func.func @against_known(%x: tensor<6xf32>, %y: tensor<6xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<6xf32> to tensor<?xf32>
  // expected-error @below {{the size of dimension 0 is known while running only}}
  %r = tosa.add %s, %y : (tensor<?xf32>, tensor<6xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @carried(%x: tensor<6xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.cast %x : tensor<6xf32> to tensor<?xf32>
  // expected-error @below {{the size of dimension 0 is known while running only}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d) -> (tensor<?xf32>) {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @unknown(%n: index) -> tensor<?xf32> {
  // expected-error @below {{the size of dimension 0 is known while running only}}
  %r = tensor.empty(%n) : tensor<?xf32>
  return %r : tensor<?xf32>
}
