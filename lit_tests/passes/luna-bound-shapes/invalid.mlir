// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-shapes))' --split-input-file --verify-diagnostics

func.func @sum_of_known(%x: tensor<1x4x6xf32>, %w: tensor<1x6x3xf32>, %n: index) -> tensor<1x4x3xf32> {
  %s = tensor.extract_slice %x[0, 0, 0] [1, 4, %n] [1, 1, 1] : tensor<1x4x6xf32> to tensor<1x4x?xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error @below {{the size of dimension 2 is known while running only: the other operand has a known one}}
  %r = tosa.matmul %s, %w, %z, %z : (tensor<1x4x?xf32>, tensor<1x6x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x3xf32>
  return %r : tensor<1x4x3xf32>
}

// -----

func.func @window(%x: tensor<1x6x4x1xf32>, %n: index) -> tensor<1x?x4x1xf32> {
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, %n, 4, 1] [1, 1, 1, 1] : tensor<1x6x4x1xf32> to tensor<1x?x4x1xf32>
  // expected-error @below {{the size of dimension 1 is known while running only: only that of the first may be}}
  %r = tosa.max_pool2d %s {kernel = array<i64: 2, 1>, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x4x1xf32>) -> tensor<1x?x4x1xf32>
  return %r : tensor<1x?x4x1xf32>
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

// Each iteration adds a row, and nobody counts them.
func.func @endless(%x: tensor<1x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.cast %x : tensor<1x8xf32> to tensor<?x8xf32>
  // expected-error @below {{the size of result 0 is known while running only: give a bound, luna.bounds}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> tensor<?x8xf32> {
    %m = tosa.concat %t, %x {axis = 0 : i32} : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
    scf.yield %m : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

// It doubles.
func.func @doubles(%x: tensor<1x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.cast %x : tensor<1x8xf32> to tensor<?x8xf32>
  // expected-error @below {{the size of result 0 is known while running only: give a bound, luna.bounds}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %e) -> tensor<?x8xf32> {
    %m = tosa.concat %t, %t {axis = 0 : i32} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %m : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

func.func @unknown(%n: index) -> tensor<?xf32> {
  // expected-error @below {{the size of dimension 0 is known while running only}}
  %r = tensor.empty(%n) : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @nested(%x: tensor<1x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = tensor.cast %x : tensor<1x8xf32> to tensor<?x8xf32>
  %r0 = scf.for %i0 = %c0 to %c1 step %c1 iter_args(%t1 = %t0) -> tensor<?x8xf32> {
  %r1 = scf.for %i1 = %c0 to %c1 step %c1 iter_args(%t2 = %t1) -> tensor<?x8xf32> {
  %r2 = scf.for %i2 = %c0 to %c1 step %c1 iter_args(%t3 = %t2) -> tensor<?x8xf32> {
  %r3 = scf.for %i3 = %c0 to %c1 step %c1 iter_args(%t4 = %t3) -> tensor<?x8xf32> {
  %r4 = scf.for %i4 = %c0 to %c1 step %c1 iter_args(%t5 = %t4) -> tensor<?x8xf32> {
  // expected-error @below {{loops with growing values are nested too deep to find their bounds; give them, luna.bounds}}
  %r5 = scf.for %i5 = %c0 to %c1 step %c1 iter_args(%t6 = %t5) -> tensor<?x8xf32> {
  %m = tosa.concat %t6, %x {axis = 0 : i32} : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  scf.yield %m : tensor<?x8xf32>
  }
  scf.yield %r5 : tensor<?x8xf32>
  }
  scf.yield %r4 : tensor<?x8xf32>
  }
  scf.yield %r3 : tensor<?x8xf32>
  }
  scf.yield %r2 : tensor<?x8xf32>
  }
  scf.yield %r1 : tensor<?x8xf32>
  }
  return %r0 : tensor<?x8xf32>
}
