// RUN: lunac run %s --random-input=1 --check | FileCheck %s

// A branch changes its value in place, or takes one of two buffers: a loop
// reads rows of the choice and replaces them, at places known while running.
// CHECK: 0 hazards; 3 runs equal the upstream CPU path bit for bit; 2 of 2 paths
func.func @main(%x: tensor<2x2x4xf32>, %c: tensor<i1>, %s: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x2x4xf32>) {
  %b = tensor.extract %c[] : tensor<i1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tosa.tanh %x : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %y = scf.if %b -> (tensor<2x2x4xf32>) {
    %t = tosa.tanh %a : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    scf.yield %t : tensor<2x2x4xf32>
  } else {
    scf.yield %a : tensor<2x2x4xf32>
  }
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%h = %s, %o = %y) -> (tensor<2x4xf32>, tensor<2x2x4xf32>) {
    %p = tensor.extract_slice %y[0, %i, 0] [2, 1, 4] [1, 1, 1] : tensor<2x2x4xf32> to tensor<2x4xf32>
    %q = tosa.add %h, %p : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = tensor.insert_slice %q into %o[0, %i, 0] [2, 1, 4] [1, 1, 1] : tensor<2x4xf32> into tensor<2x2x4xf32>
    scf.yield %q, %n : tensor<2x4xf32>, tensor<2x2x4xf32>
  }
  return %r#0, %r#1 : tensor<2x4xf32>, tensor<2x2x4xf32>
}
