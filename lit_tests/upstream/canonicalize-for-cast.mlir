// RUN: mlir-opt %s --canonicalize | FileCheck %s
//
// [mlir][scf] ForOpTensorCastFolder gives a tensor that grows the size that it
// begins with
//
// A loop appends an element to a tensor<?xi8> in each iteration, and begins
// with a cast of a tensor<1xi8>. ForOpTensorCastFolder moves the cast into the
// body and casts what is yielded to tensor<1xi8>: "it is undefined behaviour if
// the size differs" (tensor.cast), which it does after one iteration. Expected:
// the fold happens only if the yielded value is known to have that type.
//
// Worked around by LUNA_UPSTREAM_CANONICALIZE (ir/include/luna-c/upstream.h),
// which disables the pattern by name.

// CHECK: scf.for {{.*}} -> (tensor<1xi8>)
// CHECK: %[[GROWN:.*]] = tensor.concat
// CHECK: tensor.cast %[[GROWN]] : tensor<?xi8> to tensor<1xi8>
func.func @main(%x: tensor<1xi8>, %n: index) -> tensor<?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.cast %x : tensor<1xi8> to tensor<?xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (tensor<?xi8>) {
    %m = tensor.concat dim(0) %a, %x : (tensor<?xi8>, tensor<1xi8>) -> tensor<?xi8>
    scf.yield %m : tensor<?xi8>
  }
  return %r : tensor<?xi8>
}
