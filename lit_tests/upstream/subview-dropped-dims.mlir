// RUN: not mlir-opt %s --pass-pipeline='builtin.module(expand-strided-metadata)' 2>&1 | FileCheck %s
//
// [mlir][memref] SubViewOp::getDroppedDims takes the wrong dimension where one
// of size 1 has a stride other than 1
//
// getDroppedDims finds the dimensions that a rank-reducing subview drops by
// comparing strides of source and result types. Where a dimension of size 1 has
// a stride, which has no meaning, the comparison takes another one: here
// dimension 2 instead of 0, and expand-strided-metadata builds an invalid
// memref.reinterpret_cast. With other strides it finds none and dereferences an
// empty optional, which ends mlir-opt with a segmentation fault:
//
//   %s = memref.subview %x[0, 0, 5, 2] [1, 8, 2, 1] [2, 1, 1, 3]
//        : memref<1x8x7x4xf32> to memref<8x2x1xf32, strided<[28, 4, 3], offset: 22>>
//
// Bufferisation makes such subviews of rank-reducing tensor.extract_slice and
// tensor.insert_slice. Expected: sizes decide, strides only among equal sizes,
// and those of size 1 are ignored.
//
// Worked around by passes/upstream_fixes/prepare_bufferization.c.

// CHECK: error: expected result type with size = 1 instead of 3 in dim = 0
func.func @main(%x: memref<1x3x1xi8>) -> memref<3x1xi8, strided<[1, 3]>> {
  %s = memref.subview %x[0, 0, 0] [1, 3, 1] [1, 1, 3] : memref<1x3x1xi8> to memref<3x1xi8, strided<[1, 3]>>
  return %s : memref<3x1xi8, strided<[1, 3]>>
}
