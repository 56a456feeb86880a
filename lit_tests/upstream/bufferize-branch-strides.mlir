// RUN: mlir-opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map})' | FileCheck %s
//
// [mlir][bufferization] an scf.if that yields slices of equal strides gets
// dynamic strides
//
// Both branches yield a subview with strides [8, 1], at different offsets. The
// type of the result is strided<[?, ?], offset: ?>: what is known is lost, and
// all that follows computes addresses from run-time strides. Expected:
// strided<[8, 1], offset: ?>, dynamic only where the branches differ (also of
// arith.select, scf.index_switch and loops).
//
// Worked around by passes/upstream_fixes/fix_layouts.c.

// CHECK: scf.if {{.*}} -> (memref<4x4xi8, strided<[?, ?], offset: ?>>)
func.func @main(%c: i1, %x: tensor<8x8xi8>) -> tensor<4x4xi8> {
  %r = scf.if %c -> tensor<4x4xi8> {
    %a = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<8x8xi8> to tensor<4x4xi8>
    scf.yield %a : tensor<4x4xi8>
  } else {
    %b = tensor.extract_slice %x[4, 4] [4, 4] [1, 1] : tensor<8x8xi8> to tensor<4x4xi8>
    scf.yield %b : tensor<4x4xi8>
  }
  return %r : tensor<4x4xi8>
}
