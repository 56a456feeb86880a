// Parts of constants that branches choose and loops begin with, beside parts of
// inputs with the same strides.

// RUN: lunac run %s --random-input=3 --cases=2 --check | FileCheck %s
// CHECK: 0 hazards; {{[0-9]+}} runs equal the upstream CPU path bit for bit
func.func @main(%i: tensor<i32>, %c: tensor<i1>, %x: tensor<4x2xf32>, %y : tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %k = arith.constant dense<[[1.0,2.0,3.0,4.0,5.0],[2.0,3.0,4.0,5.0,2.0],[3.0,4.0,6.0,2.0,8.0],[2.0,3.0,4.0,6.0,2.0]]> : tensor<4x5xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.extract %i[] : tensor<i32>
  %n1 = arith.index_cast %n : i32 to index
  %n2 = arith.remui %n1, %c3 : index
  %s = tensor.extract_slice %k[0, %n2] [4, 2] [1, 1] : tensor<4x5xf32> to tensor<4x2xf32>
  %sy = tensor.extract_slice %y[0, %n2] [4, 2] [1, 1] : tensor<4x5xf32> to tensor<4x2xf32>
  %t = tensor.extract_slice %k[0, %c3] [4, 2] [1, 1] : tensor<4x5xf32> to tensor<4x2xf32>
  %r = scf.if %p -> (tensor<4x2xf32>) {
    scf.yield %t : tensor<4x2xf32>
  } else {
    scf.yield %s : tensor<4x2xf32>
  }
  %q = scf.if %p -> (tensor<4x2xf32>) {
    scf.yield %s : tensor<4x2xf32>
  } else {
    scf.yield %sy : tensor<4x2xf32>
  }
  %f = scf.for %j = %c0 to %n2 step %c1 iter_args(%a = %s) -> tensor<4x2xf32> {
    %b = tosa.add %a, %x : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.yield %b : tensor<4x2xf32>
  }
  return %f, %q, %r : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}
