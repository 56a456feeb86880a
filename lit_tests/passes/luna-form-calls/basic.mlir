// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-calls{layout=calls}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-calls{machine=arcs layout=calls}))' | FileCheck %s --check-prefix=ARCS

// Rows of the left matrix are columns of the image; a right matrix is transposed.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x3xi8>
// CHECK-DAG: %[[I:.*]] = tosa.reshape %[[X]]{{.*}} -> tensor<1x1x4x3xi8>
// CHECK-DAG: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}1, 3, 5]]], {{\[\[\[}}2, 4, 6]]]]> : tensor<2x1x1x3xi8>}>
// CHECK: %[[P:.*]] = luna.conv2d ins(%[[I]], %[[W]] {{.*}}) outs({{.*}} : tensor<1x1x4x2xi32>)
// CHECK-SAME: weight_zp = -1 : i32
// CHECK: %[[R:.*]] = tosa.reshape %[[P]]{{.*}} -> tensor<1x4x2xi32>
// CHECK: return %[[R]]
func.func @rows(%x: tensor<1x4x3xi8>) -> tensor<1x4x2xi32> {
  %w = "tosa.const"() <{values = dense<[[[1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi8>}> : () -> tensor<1x3x2xi8>
  %o = tensor.empty() : tensor<1x4x2xi32>
  %r = luna.matmul ins(%x, %w : tensor<1x4x3xi8>, tensor<1x3x2xi8>) outs(%o : tensor<1x4x2xi32>)
      {rhs_zp = -1 : i32, requant = #luna.requant<mode = none>} -> tensor<1x4x2xi32>
  return %r : tensor<1x4x2xi32>
}

// A stride above the kernel has taps that weigh nothing; those of an odd size
// meet a row of padding.
// CHECK-LABEL: func.func @strided(
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}9], [5]], {{\[\[}}5], [5]]]]> : tensor<1x2x2x1xi8>}>
// CHECK: luna.conv2d ins(%{{.*}}, %[[W]]
// CHECK-SAME: pad = array<i64: 0, 0, 0, 1>
// ARCS-LABEL: func.func @strided(
// ARCS: luna.conv2d {{.*}} tensor<1x1x1x1xi8>)
// ARCS-NOT: pad
func.func @strided(%x: tensor<1x8x7x1xi8>) -> tensor<1x4x4x1xi8> {
  %w = "tosa.const"() <{values = dense<9> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
  %o = tensor.empty() : tensor<1x4x4x1xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x8x7x1xi8>, tensor<1x1x1x1xi8>) outs(%o : tensor<1x4x4x1xi8>)
      {stride = array<i64: 2, 2>, weight_zp = 5 : i32, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x4x4x1xi8>
  return %r : tensor<1x4x4x1xi8>
}

// A kernel of more rows than the limit meets no padding: its blocks would leave
// outputs out. What each of them takes stays.
// CHECK-LABEL: func.func @tall(
// CHECK-SAME: %[[X:.*]]: tensor<1x49x10x1xi8>)
// CHECK: %[[Z:.*]] = "tosa.const"() <{values = dense<83> : tensor<1xi8>}>
// CHECK: %[[P:.*]] = tosa.pad %[[X]], %{{.*}}, %[[Z]] {{.*}} -> tensor<1x58x12x1xi8>
// CHECK: luna.conv2d ins(%[[P]], %{{.*}}) outs(
// CHECK-NOT: pad
// CHECK-SAME: stride
// CHECK: luna.conv2d ins(%[[X]],
// CHECK-SAME: pad = array<i64: 4, 4, 1, 1>
// ARCS-LABEL: func.func @tall(
// ARCS-NOT: tosa.pad
// ARCS: return
func.func @tall(%x: tensor<1x49x10x1xi8>) -> (tensor<1x25x5x8xi8>, tensor<1x24x5x8xi8>) {
  %w = "tosa.const"() <{values = dense<1> : tensor<8x10x4x1xi8>}> : () -> tensor<8x10x4x1xi8>
  %o = tensor.empty() : tensor<1x25x5x8xi8>
  %q = tensor.empty() : tensor<1x24x5x8xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x49x10x1xi8>, tensor<8x10x4x1xi8>) outs(%o : tensor<1x25x5x8xi8>)
      {input_zp = 83 : i32, pad = array<i64: 4, 5, 1, 1>, stride = array<i64: 2, 2>, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x25x5x8xi8>
  %s = luna.conv2d ins(%x, %w : tensor<1x49x10x1xi8>, tensor<8x10x4x1xi8>) outs(%q : tensor<1x24x5x8xi8>)
      {pad = array<i64: 4, 4, 1, 1>, stride = array<i64: 2, 2>, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x24x5x8xi8>
  return %r, %s : tensor<1x25x5x8xi8>, tensor<1x24x5x8xi8>
}
