// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization{levels=2})' | FileCheck %s

// Every second loop of a nest begins with a copy; a slice of one element of a
// dimension has the stride one there.
// CHECK-LABEL: func.func @main(
// CHECK: %[[X:.*]] = tensor.extract_slice %{{.*}}[0, 2] [4, 1] [2, 1] : tensor<8x4xi8> to tensor<4xi8>
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[A]]) {memory_space = 0 : i64} : tensor<4xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
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
