// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization{levels=1})' | FileCheck %s --check-prefix=ONE
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization{levels=2})' | FileCheck %s --check-prefix=TWO

// With one level each loop begins with a copy; with two every other one.
// ONE: bufferization.alloc_tensor() copy
// ONE: scf.for
// ONE: bufferization.alloc_tensor() copy
// ONE: scf.for
// TWO-NOT: bufferization.alloc_tensor
// TWO: scf.for
// TWO: bufferization.alloc_tensor() copy
// TWO: scf.for
func.func @main(%y: tensor<8x4xi8>) -> tensor<4xi8> {
  %x = tensor.extract_slice %y[0, 2] [4, 1] [2, 3] : tensor<8x4xi8> to tensor<4xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<4xi8>) {
    %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> (tensor<4xi8>) {
      %n = tosa.abs %b : (tensor<4xi8>) -> tensor<4xi8>
      scf.yield %n : tensor<4xi8>
    }
    scf.yield %s : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
