// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-luna{layout=calls}))' --verify-diagnostics | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-luna{machine=arcs layout=calls}))' --verify-diagnostics | FileCheck %s --check-prefix=ARCS

// Rows of the left matrix are columns of the image; a right matrix is transposed.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x3xi8>
// CHECK-DAG: %[[I:.*]] = tosa.reshape %[[X]]{{.*}} -> tensor<1x1x4x3xi8>
// CHECK-DAG: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}1, 3, 5]]], {{\[\[\[}}2, 4, 6]]]]> : tensor<2x1x1x3xi8>}>
// CHECK: %[[P:.*]] = luna.conv2d ins(%[[I]], %[[W]] {{.*}}) outs({{.*}} : tensor<1x1x4x2xi32>)
// CHECK: %[[R:.*]] = tosa.reshape %[[P]]{{.*}} -> tensor<1x4x2xi32>
// CHECK: return %[[R]]
func.func @rows(%x: tensor<1x4x3xi8>) -> tensor<1x4x2xi32> {
  %w = "tosa.const"() <{values = dense<[[[1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi8>}> : () -> tensor<1x3x2xi8>
  %o = tensor.empty() : tensor<1x4x2xi32>
  %r = luna.matmul ins(%x, %w : tensor<1x4x3xi8>, tensor<1x3x2xi8>) outs(%o : tensor<1x4x2xi32>)
      {requant = #luna.requant<mode = none>} -> tensor<1x4x2xi32>
  return %r : tensor<1x4x2xi32>
}

// A stride above the kernel has taps that weigh nothing; those of an odd size
// meet a row of padding.
// CHECK-LABEL: func.func @strided(
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}9], [0]], {{\[\[}}0], [0]]]]> : tensor<1x2x2x1xi8>}>
// CHECK: luna.conv2d ins(%{{.*}}, %[[W]]
// CHECK-SAME: pad = array<i64: 0, 0, 0, 1>
// ARCS-LABEL: func.func @strided(
// ARCS: luna.conv2d {{.*}} tensor<1x1x1x1xi8>)
// ARCS-NOT: pad
func.func @strided(%x: tensor<1x8x7x1xi8>) -> tensor<1x4x4x1xi8> {
  %w = "tosa.const"() <{values = dense<9> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
  %o = tensor.empty() : tensor<1x4x4x1xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x8x7x1xi8>, tensor<1x1x1x1xi8>) outs(%o : tensor<1x4x4x1xi8>)
      {stride = array<i64: 2, 2>, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x4x4x1xi8>
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

// A depthwise convolution with several outputs of a channel is one of each block
// of channels: the weights of other channels are 0.
// CHECK-LABEL: func.func @channels(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x9xi8>)
// CHECK-DAG: %[[A:.*]] = tosa.slice %[[X]]{{.*}} -> tensor<1x4x4x8xi8>
// CHECK: %[[P:.*]] = luna.conv2d ins(%[[A]], %{{.*}} : tensor<1x4x4x8xi8>, tensor<16x1x1x8xi8>) bias(%{{.*}} : tensor<16xi32>) outs({{.*}} : tensor<1x4x4x16xi8>)
// CHECK-NOT: kind = 1
// CHECK: %[[B:.*]] = tosa.slice %[[X]]{{.*}} -> tensor<1x4x4x1xi8>
// CHECK-DAG: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}17]]], {{\[\[\[}}18]]]]> : tensor<2x1x1x1xi8>}>
// CHECK-DAG: %[[C:.*]] = "tosa.const"() <{values = dense<[116, 117]> : tensor<2xi32>}>
// CHECK: %[[Q:.*]] = luna.conv2d ins(%[[B]], %[[W]] {{.*}}) bias(%[[C]] : tensor<2xi32>)
// CHECK: tosa.concat %[[P]], %[[Q]] {axis = 3 : i32} {{.*}} -> tensor<1x4x4x18xi8>
func.func @channels(%x: tensor<1x4x4x9xi8>) -> tensor<1x4x4x18xi8> {
  %w = "tosa.const"() <{values = dense<[[[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12], [13, 14], [15, 16], [17, 18]]]]> : tensor<1x1x9x2xi8>}> : () -> tensor<1x1x9x2xi8>
  %b = "tosa.const"() <{values = dense<[100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117]> : tensor<18xi32>}> : () -> tensor<18xi32>
  %o = tensor.empty() : tensor<1x4x4x18xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x4x4x9xi8>, tensor<1x1x9x2xi8>) bias(%b : tensor<18xi32>) outs(%o : tensor<1x4x4x18xi8>)
      {kind = 1 : i32, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x4x4x18xi8>
  return %r : tensor<1x4x4x18xi8>
}

// Seven taps along y are two columns of four; with one output, two rows.
// CHECK-LABEL: func.func @columns(
// CHECK: %[[P:.*]] = tosa.pad %{{.*}} -> tensor<1x11x1x2xi8>
// CHECK: %[[A:.*]] = tosa.slice %[[P]], {{.*}} -> tensor<1x7x1x2xi8>
// CHECK: %[[B:.*]] = tosa.slice %[[P]], {{.*}} -> tensor<1x7x1x2xi8>
// CHECK: %[[I:.*]] = tosa.concat %[[A]], %[[B]] {axis = 2 : i32} {{.*}} -> tensor<1x7x2x2xi8>
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[}}{{\[\[}}1], [2]], {{\[\[}}9], [10]]], {{\[\[\[}}3], [4]], {{\[\[}}11], [12]]], {{\[\[\[}}5], [6]], {{\[\[}}13], [14]]], {{\[\[\[}}7], [8]], {{\[\[}}0], [0]]]]> : tensor<4x2x2x1xi8>}>
// CHECK: luna.conv2d ins(%[[I]], %[[W]]
// CHECK-SAME: outs({{.*}} : tensor<1x4x1x2xi8>) {input_zp = 3 : i32, kind = 1 : i32
// CHECK: tosa.pad %{{.*}} -> tensor<1x8x1x2xi8>
// CHECK: %[[R:.*]] = tosa.reshape %{{.*}} -> tensor<1x2x4x2xi8>
// CHECK: luna.conv2d ins(%[[R]], %{{.*}} : tensor<1x2x4x2xi8>, tensor<2x4x2x1xi8>)
func.func @columns(%x: tensor<1x9x1x2xi8>, %y: tensor<1x7x1x2xi8>) -> (tensor<1x4x1x2xi8>, tensor<1x1x1x2xi8>) {
  %w = "tosa.const"() <{values = dense<[[[[1], [2]]], [[[3], [4]]], [[[5], [6]]], [[[7], [8]]], [[[9], [10]]], [[[11], [12]]], [[[13], [14]]]]> : tensor<7x1x2x1xi8>}> : () -> tensor<7x1x2x1xi8>
  %o = tensor.empty() : tensor<1x4x1x2xi8>
  %q = tensor.empty() : tensor<1x1x1x2xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x9x1x2xi8>, tensor<7x1x2x1xi8>) outs(%o : tensor<1x4x1x2xi8>)
      {kind = 1 : i32, pad = array<i64: 1, 0, 0, 0>, input_zp = 3 : i32, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x4x1x2xi8>
  %s = luna.conv2d ins(%y, %w : tensor<1x7x1x2xi8>, tensor<7x1x2x1xi8>) outs(%q : tensor<1x1x1x2xi8>)
      {kind = 1 : i32, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x1x1x2xi8>
  return %r, %s : tensor<1x4x1x2xi8>, tensor<1x1x1x2xi8>
}

// Six taps with a stride of two are three on rows of two phases.
// CHECK-LABEL: func.func @phases(
// CHECK-SAME: %[[X:.*]]: tensor<1x12x8x2xi8>)
// CHECK: %[[A:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [1, 6, 8, 2] [1, 2, 1, 1]
// CHECK: %[[B:.*]] = tensor.extract_slice %[[X]][0, 1, 0, 0] [1, 6, 8, 2] [1, 2, 1, 1]
// CHECK: %[[I:.*]] = tosa.concat %[[A]], %[[B]] {axis = 3 : i32} {{.*}} -> tensor<1x6x8x4xi8>
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}1, 2, 3, 4]], {{\[\[}}5, 6, 7, 8]], {{\[\[}}9, 10, 11, 12]]]]> : tensor<1x3x1x4xi8>}>
// CHECK: luna.conv2d ins(%[[I]], %[[W]]
// CHECK-NOT: stride
// CHECK: return
// ARCS-LABEL: func.func @phases(
// ARCS: luna.conv2d {{.*}}stride = array<i64: 2, 1>
func.func @phases(%x: tensor<1x12x8x2xi8>) -> tensor<1x4x8x1xi8> {
  %w = "tosa.const"() <{values = dense<[[[[1, 2]], [[3, 4]], [[5, 6]], [[7, 8]], [[9, 10]], [[11, 12]]]]> : tensor<1x6x1x2xi8>}> : () -> tensor<1x6x1x2xi8>
  %o = tensor.empty() : tensor<1x4x8x1xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x12x8x2xi8>, tensor<1x6x1x2xi8>) outs(%o : tensor<1x4x8x1xi8>)
      {stride = array<i64: 2, 1>, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x4x8x1xi8>
  return %r : tensor<1x4x8x1xi8>
}

// A transposed convolution is one of the input spread by the strides, its kernel
// turned around.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[X:.*]]: tensor<1x2x3x1xi8>)
// CHECK: %[[F:.*]] = linalg.fill ins(%{{.*}} : i8) outs({{.*}} : tensor<1x6x4x1xi8>)
// CHECK: %[[I:.*]] = tensor.insert_slice %[[X]] into %[[F]][0, 1, 0, 0] [1, 2, 3, 1] [1, 3, 1, 1]
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[}}{{\[\[}}4], [3]], {{\[\[}}2], [1]]]]> : tensor<1x2x2x1xi8>}>
// CHECK: luna.conv2d ins(%[[I]], %[[W]] {{.*}} outs({{.*}} : tensor<1x5x3x1xi8>) {input_zp = 7 : i32, requant
func.func @transposed(%x: tensor<1x2x3x1xi8>) -> tensor<1x5x3x1xi8> {
  %w = "tosa.const"() <{values = dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>}> : () -> tensor<1x2x2x1xi8>
  %o = tensor.empty() : tensor<1x5x3x1xi8>
  %r = luna.conv2d ins(%x, %w : tensor<1x2x3x1xi8>, tensor<1x2x2x1xi8>) outs(%o : tensor<1x5x3x1xi8>)
      {kind = 2 : i32, pad = array<i64: 0, 0, -1, 0>, stride = array<i64: 3, 1>, input_zp = 7 : i32, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x5x3x1xi8>
  return %r : tensor<1x5x3x1xi8>
}

// A pooling has as many channels as a call takes: on venus by the bytes of its
// planes, on arcs by those of one row of windows. That of int16 is the core's.
// CHECK-LABEL: func.func @pools(
// CHECK: luna.max_pool2d {{.*}} outs({{.*}} : tensor<1x20x20x160xi8>)
// CHECK: tosa.max_pool2d {{.*}}xi16>
// ARCS-LABEL: func.func @pools(
// ARCS: %[[A:.*]] = luna.max_pool2d {{.*}} outs({{.*}} : tensor<1x20x20x200xi8>)
// ARCS: %[[B:.*]] = luna.max_pool2d {{.*}} outs({{.*}} : tensor<1x20x20x56xi8>)
// ARCS: tosa.concat %[[A]], %[[B]] {axis = 3 : i32}
func.func @pools(%x: tensor<1x40x40x256xi8>, %y: tensor<1x4x4x2xi16>) -> (tensor<1x20x20x256xi8>, tensor<1x2x2x2xi16>) {
  %p = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x40x40x256xi8>) -> tensor<1x20x20x256xi8>
  // expected-remark @+1 {{has no call for it: the core computes it}}
  %q = tosa.max_pool2d %y {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x2xi16>) -> tensor<1x2x2x2xi16>
  return %p, %q : tensor<1x20x20x256xi8>, tensor<1x2x2x2xi16>
}

// Factors of the channels are made as many planes by a product with ones.
// CHECK-LABEL: func.func @factors(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x5x3xi8>, %[[F:.*]]: tensor<1x1x1x3xi8>)
// CHECK-DAG: %[[C:.*]] = tosa.reshape %[[F]], {{.*}} -> tensor<1x3x1xi8>
// CHECK-DAG: %[[O:.*]] = linalg.fill {{.*}} -> tensor<1x1x20xi8>
// CHECK: %[[P:.*]] = luna.matmul ins(%[[C]], %[[O]] {{.*}} outs({{.*}} : tensor<1x3x20xi8>)
// CHECK: %[[T:.*]] = tosa.transpose %[[P]] {perms = array<i32: 0, 2, 1>}
// CHECK: %[[R:.*]] = tosa.reshape %[[T]], {{.*}} -> tensor<1x4x5x3xi8>
// CHECK: luna.mul ins(%[[X]], %[[R]]
func.func @factors(%x: tensor<1x4x5x3xi8>, %f: tensor<1x1x1x3xi8>) -> tensor<1x4x5x3xi8> {
  %o = tensor.empty() : tensor<1x4x5x3xi8>
  %r = luna.mul ins(%x, %f : tensor<1x4x5x3xi8>, tensor<1x1x1x3xi8>) outs(%o : tensor<1x4x5x3xi8>) {requant = #luna.requant<mode = shift, shift = 7>} -> tensor<1x4x5x3xi8>
  return %r : tensor<1x4x5x3xi8>
}

// What has no call is left to the core.
// CHECK-LABEL: func.func @core(
// CHECK: tosa.conv2d
// CHECK-NOT: luna
// CHECK: return
func.func @core(%x: tensor<1x8x8x2xi8>) -> tensor<1x8x8x1xi32> {
  %w = "tosa.const"() <{values = dense<1> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %one = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @+1 {{has no call for it: the core computes it}}
  %r = tosa.conv2d %x, %w, %b, %z, %one {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x2xi8>, tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x1xi32>
  return %r : tensor<1x8x8x1xi32>
}
