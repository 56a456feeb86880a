// Each class of operators once, in its two forms.
// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-to-linalg))' | FileCheck %s

// Loops over rows and columns of the kernel, then over the channels, of which
// a tap in the padding has none.
// CHECK-LABEL: func.func @conv2d
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
// CHECK-SAME: outs(%arg3 : memref<1x3x3x4xi8>)
// CHECK-DAG: %[[N:.*]] = linalg.index 0
// CHECK-DAG: %[[OC:.*]] = linalg.index 3
// CHECK: %[[SUM:.*]] = scf.for %[[KY:arg[0-9]+]] = %c0{{.*}} to %c3{{.*}} iter_args(%{{.*}} = %c0_i32) -> (i32)
// CHECK:   %[[ROW:.*]] = arith.cmpi ult
// CHECK:   scf.for %[[KX:arg[0-9]+]] = %c0{{.*}} to %c3
// CHECK:     %[[COLUMN:.*]] = arith.cmpi ult
// CHECK:     %[[INSIDE:.*]] = arith.andi %[[ROW]], %[[COLUMN]]
// CHECK:     %[[DEPTH:.*]] = arith.select %[[INSIDE]], %c2{{.*}}, %c0
// CHECK:     scf.for %[[IC:arg[0-9]+]] = %c0{{.*}} to %[[DEPTH]]
// CHECK:       memref.load %arg0[%[[N]], %{{.*}}, %{{.*}}, %[[IC]]] : memref<1x5x5x2xi8>
// CHECK:       memref.load %arg1[%[[OC]], %[[KY]], %[[KX]], %[[IC]]] : memref<4x3x3x2xi8>
// CHECK:       arith.muli %{{.*}} : i32
// CHECK: %[[BIAS:.*]] = memref.load %arg2[%[[OC]]]
// CHECK: arith.addi %[[SUM]], %[[BIAS]] : i32
// CHECK: arith.shrsi %{{.*}} : i64
// CHECK: arith.trunci %{{.*}} : i64 to i8
// CHECK-NOT: luna.
func.func @conv2d(%x: memref<1x5x5x2xi8>, %w: memref<4x3x3x2xi8>, %b: memref<4xi32>, %o: memref<1x3x3x4xi8>) {
  luna.conv2d ins(%x, %w : memref<1x5x5x2xi8>, memref<4x3x3x2xi8>) bias(%b : memref<4xi32>)
      outs(%o : memref<1x3x3x4xi8>) {stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 5>}
  return
}

// -----

// Output channel c * M + m reads input channel c and weight [ky, kx, c, m].
// CHECK-LABEL: func.func @depthwise
// CHECK: %[[OC:.*]] = linalg.index 3
// CHECK: scf.for %[[KY:arg[0-9]+]] =
// CHECK: scf.for %[[KX:arg[0-9]+]] =
// CHECK: %[[C:.*]] = arith.divui %[[OC]], %c3
// CHECK: %[[M:.*]] = arith.remui %[[OC]], %c3
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}, %{{.*}}, %[[C]]]
// CHECK: tensor.extract %arg1[%[[KY]], %[[KX]], %[[C]], %[[M]]]
func.func @depthwise(%x: tensor<1x4x4x2xi8>, %w: tensor<2x2x2x3xi8>, %o: tensor<1x3x3x6xi32>) -> tensor<1x3x3x6xi32> {
  %r = luna.conv2d ins(%x, %w : tensor<1x4x4x2xi8>, tensor<2x2x2x3xi8>)
      outs(%o : tensor<1x3x3x6xi32>) {kind = 1 : i32, requant = #luna.requant<mode = none>} -> tensor<1x3x3x6xi32>
  return %r : tensor<1x3x3x6xi32>
}

// -----

// Inputs of 16 bits are added up in 64. A row that no input reaches is not a
// whole multiple of the stride.
// CHECK-LABEL: func.func @transposed
// CHECK: scf.for {{.*}} -> (i64)
// CHECK: %[[AT:.*]] = arith.divui %[[FROM:.*]], %[[BY:.*]] : index
// CHECK: %[[BACK:.*]] = arith.muli %[[AT]], %[[BY]]
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[BACK]], %[[FROM]]
// CHECK: %[[WITHIN:.*]] = arith.cmpi ult, %[[AT]]
// CHECK: arith.andi %[[WHOLE]], %[[WITHIN]]
// CHECK: arith.extsi %{{.*}} : i16 to i64
// CHECK: arith.extsi %{{.*}} : i8 to i64
func.func @transposed(%x: tensor<1x2x2x1xi16>, %w: tensor<1x3x3x1xi8>, %o: tensor<1x5x5x1xi16>) -> tensor<1x5x5x1xi16> {
  %r = luna.conv2d ins(%x, %w : tensor<1x2x2x1xi16>, tensor<1x3x3x1xi8>)
      outs(%o : tensor<1x5x5x1xi16>) {kind = 2 : i32, stride = array<i64: 2, 2>, requant = #luna.requant<mode = shift, shift = 5, clamp_min = -32768, clamp_max = 32767>} -> tensor<1x5x5x1xi16>
  return %r : tensor<1x5x5x1xi16>
}

// -----

// CHECK-LABEL: func.func @matmul
// CHECK: %[[N:.*]] = linalg.index 0
// CHECK: %[[H:.*]] = linalg.index 1
// CHECK: %[[W:.*]] = linalg.index 2
// CHECK: scf.for %[[C:arg[0-9]+]] = %c0{{.*}} to %c8
// CHECK: tensor.extract %arg0[%[[N]], %[[H]], %[[C]]]
// CHECK: tensor.extract %arg1[%[[N]], %[[C]], %[[W]]]
func.func @matmul(%x: tensor<2x3x8xi8>, %w: tensor<2x8x4xi8>, %o: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = luna.matmul ins(%x, %w : tensor<2x3x8xi8>, tensor<2x8x4xi8>)
      outs(%o : tensor<2x3x4xi32>) {requant = #luna.requant<mode = none>} -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

// -----

// A transposed right matrix; zero points come off both.
// CHECK-LABEL: func.func @fully_connected
// CHECK: %[[N:.*]] = linalg.index 0
// CHECK: %[[W:.*]] = linalg.index 2
// CHECK: scf.for %[[C:arg[0-9]+]] = %c0
// CHECK: memref.load %arg1[%[[N]], %[[W]], %[[C]]]
// CHECK: arith.subi %{{.*}}, %c3_i32
// CHECK: arith.subi %{{.*}}, %c-4_i32
func.func @fully_connected(%x: memref<1x1x8xi8>, %w: memref<1x4x8xi8>, %o: memref<1x1x4xi8>) {
  luna.matmul ins(%x, %w : memref<1x1x8xi8>, memref<1x4x8xi8>)
      outs(%o : memref<1x1x4xi8>) {rhs_transposed, lhs_zp = 3 : i32, rhs_zp = -4 : i32, requant = #luna.requant<mode = shift, shift = 7>}
  return
}

// -----

// An extent of 1 is repeated; an input without a multiplier is not scaled.
// CHECK: #[[ROW:map[0-9]*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-LABEL: func.func @add
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[ROW]], #{{.*}}]
// CHECK-SAME: ins(%arg0, %arg1 : memref<2x8xi8>, memref<1x8xi8>) outs(%arg2 : memref<2x8xi8>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i8, %{{.*}}: i8):
// CHECK: %[[WIDE:.*]] = arith.extsi %[[X]] : i8 to i64
// CHECK: %[[LEFT:.*]] = arith.subi %[[WIDE]], %c5_i64
// CHECK: %[[RIGHT:.*]] = arith.extsi %[[Y]] : i8 to i64
// CHECK-DAG: %[[FACTOR:.*]] = arith.extsi %c1073741824_i32
// CHECK: arith.muli %[[RIGHT]], %[[FACTOR]]
// CHECK: %[[SCALED:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: arith.addi %[[LEFT]], %[[SCALED]]
func.func @add(%x: memref<2x8xi8>, %y: memref<1x8xi8>, %o: memref<2x8xi8>) {
  luna.add ins(%x, %y : memref<2x8xi8>, memref<1x8xi8>) outs(%o : memref<2x8xi8>)
      {lhs_zp = 5 : i32, rhs_multiplier = 1073741824 : i32, rhs_shift = 31 : i32, requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// -----

// Channels that an input has not are its zero point: nothing is added.
// CHECK-LABEL: func.func @padded
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<2x8xi8>) outs(%arg2 : memref<2x8xi8>)
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[C:.*]] = linalg.index 1
// CHECK: %[[OWN:.*]] = arith.cmpi slt, %[[C]], %c6
// CHECK: %[[AT:.*]] = arith.minsi %[[C]], %c5
// CHECK: memref.load %arg1[%[[ROW]], %[[AT]]]
// CHECK: arith.select %[[OWN]], %{{.*}}, %c0_i64
func.func @padded(%x: memref<2x8xi8>, %y: memref<2x6xi8>, %o: memref<2x8xi8>) {
  luna.add ins(%x, %y : memref<2x8xi8>, memref<2x6xi8>) outs(%o : memref<2x8xi8>)
      {rhs_zp = -128 : i32, requant = #luna.requant<mode = shift, shift = 1>}
  return
}

// -----

// CHECK-LABEL: func.func @sub_and_mul
// CHECK: linalg.generic
// CHECK: arith.subi %{{.*}} : i64
// CHECK: linalg.generic
// CHECK: arith.muli %{{.*}} : i64
func.func @sub_and_mul(%x: tensor<8xi16>, %y: tensor<8xi8>, %o: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>) {
  %r = luna.sub ins(%x, %y : tensor<8xi16>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 8>} -> tensor<8xi8>
  %s = luna.mul ins(%x, %y : tensor<8xi16>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 16>} -> tensor<8xi8>
  return %r, %s : tensor<8xi8>, tensor<8xi8>
}

// -----

// Windows are clipped to the input; the lowest number is below all others.
// CHECK-LABEL: func.func @max_pool2d
// CHECK: linalg.generic
// CHECK: %[[TOP:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK: %[[BOTTOM:.*]] = arith.minsi %{{.*}}, %c5
// CHECK: scf.for %{{.*}} = %[[TOP]] to %[[BOTTOM]] {{.*}} iter_args(%{{.*}} = %c-128_i8)
// CHECK:   memref.load
// CHECK:   arith.maxsi
func.func @max_pool2d(%x: memref<1x5x5x3xi8>, %o: memref<1x3x3x3xi8>) {
  luna.max_pool2d ins(%x : memref<1x5x5x3xi8>) outs(%o : memref<1x3x3x3xi8>)
      {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// The reciprocal of the number of elements that are there.
// CHECK-LABEL: func.func @avg_pool2d
// CHECK: scf.for {{.*}} -> (i64)
// CHECK: math.ctlz
// CHECK: arith.divsi %{{.*}} : i64
// CHECK: arith.shrsi
func.func @avg_pool2d(%x: tensor<1x5x5x3xi8>, %o: tensor<1x3x3x3xi8>) -> tensor<1x3x3x3xi8> {
  %r = luna.avg_pool2d ins(%x : tensor<1x5x5x3xi8>) outs(%o : tensor<1x3x3x3xi8>)
      {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} -> tensor<1x3x3x3xi8>
  return %r : tensor<1x3x3x3xi8>
}

// -----

// CHECK-LABEL: func.func @table
// CHECK: memref.load %arg1
func.func @table(%x: memref<4xi8>, %t: memref<256xi8>) {
  luna.table ins(%x, %t : memref<4xi8>, memref<256xi8>) outs(%x : memref<4xi8>)
  return
}

// -----

// A bias with a row for each class of borders: rows of outputs 0, 1 to 3, 4 are
// of classes 1, 0, 2, as are columns.
// CHECK-LABEL: func.func @borders
// CHECK: %[[Y:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK: %[[ROWS:.*]] = arith.muli %{{.*}}, %c3{{.*}} : index
// CHECK: %[[ROW:.*]] = arith.addi %[[ROWS]], %{{.*}} : index
// CHECK: %[[LACKS:.*]] = memref.load %arg2[%[[ROW]], %[[C:.*]]]
// CHECK: %[[INNER:.*]] = arith.cmpi eq, %[[ROW]], %{{.*}} : index
// CHECK: %[[ADDED:.*]] = arith.select %[[INNER]], %{{.*}}, %[[LACKS]] : i32
// CHECK: %[[BIAS:.*]] = memref.load %arg2[%{{.*}}, %[[C]]]
// CHECK: arith.addi %[[ADDED]], %[[BIAS]] : i32
func.func @borders(%x: memref<1x5x5x2xi8>, %w: memref<4x3x3x2xi8>, %b: memref<9x4xi32>, %o: memref<1x5x5x4xi32>) {
  luna.conv2d ins(%x, %w : memref<1x5x5x2xi8>, memref<4x3x3x2xi8>) bias(%b : memref<9x4xi32>) outs(%o : memref<1x5x5x4xi32>)
      {folded_zp = -3 : i32, pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<>}
  return
}
