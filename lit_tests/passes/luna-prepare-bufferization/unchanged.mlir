// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization)' | FileCheck %s

// Seven levels take no time.
// CHECK-NOT: alloc_tensor
func.func @seven(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r0 = scf.for %i0 = %c0 to %c2 step %c1 iter_args(%a0 = %x) -> (tensor<4xi8>) {
  %r1 = scf.for %i1 = %c0 to %c2 step %c1 iter_args(%a1 = %a0) -> (tensor<4xi8>) {
  %r2 = scf.for %i2 = %c0 to %c2 step %c1 iter_args(%a2 = %a1) -> (tensor<4xi8>) {
  %r3 = scf.for %i3 = %c0 to %c2 step %c1 iter_args(%a3 = %a2) -> (tensor<4xi8>) {
  %r4 = scf.for %i4 = %c0 to %c2 step %c1 iter_args(%a4 = %a3) -> (tensor<4xi8>) {
  %r5 = scf.for %i5 = %c0 to %c2 step %c1 iter_args(%a5 = %a4) -> (tensor<4xi8>) {
  %r6 = scf.for %i6 = %c0 to %c2 step %c1 iter_args(%a6 = %a5) -> (tensor<4xi8>) {
  scf.yield %a6 : tensor<4xi8>
  }
  scf.yield %r6 : tensor<4xi8>
  }
  scf.yield %r5 : tensor<4xi8>
  }
  scf.yield %r4 : tensor<4xi8>
  }
  scf.yield %r3 : tensor<4xi8>
  }
  scf.yield %r2 : tensor<4xi8>
  }
  scf.yield %r1 : tensor<4xi8>
  }
  return %r0 : tensor<4xi8>
}

// Strides between several elements, and one that only the running program knows.
// CHECK-LABEL: func.func @strides
// CHECK: tensor.extract_slice %{{.*}}[0, 1] [4, 2] [2, 3]
// CHECK: tensor.extract_slice %{{.*}}[0, 1] [1, 2] [%{{.*}}, 3]
func.func @strides(%x: tensor<8x8xi8>, %n: index) -> (tensor<4x2xi8>, tensor<1x2xi8>) {
  %a = tensor.extract_slice %x[0, 1] [4, 2] [2, 3] : tensor<8x8xi8> to tensor<4x2xi8>
  %b = tensor.extract_slice %x[0, 1] [1, 2] [%n, 3] : tensor<8x8xi8> to tensor<1x2xi8>
  return %a, %b : tensor<4x2xi8>, tensor<1x2xi8>
}
