// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-luna{layout=calls}))' 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=CORE < %t.err

// Products of two tensors, and of several images, are no convolutions.
// CHECK-LABEL: func.func @matrices(
// CHECK-COUNT-2: luna.matmul
func.func @matrices(%x: tensor<1x4x3xi8>, %y: tensor<1x3x2xi8>, %z: tensor<2x4x3xi8>) -> (tensor<1x4x2xi32>, tensor<2x4x2xi32>) {
  %w = "tosa.const"() <{values = dense<1> : tensor<2x3x2xi8>}> : () -> tensor<2x3x2xi8>
  %o = tensor.empty() : tensor<1x4x2xi32>
  %p = tensor.empty() : tensor<2x4x2xi32>
  %r = luna.matmul ins(%x, %y : tensor<1x4x3xi8>, tensor<1x3x2xi8>) outs(%o : tensor<1x4x2xi32>)
      {requant = #luna.requant<mode = none>} -> tensor<1x4x2xi32>
  %s = luna.matmul ins(%z, %w : tensor<2x4x3xi8>, tensor<2x3x2xi8>) outs(%p : tensor<2x4x2xi32>)
      {requant = #luna.requant<mode = none>} -> tensor<2x4x2xi32>
  return %r, %s : tensor<1x4x2xi32>, tensor<2x4x2xi32>
}

// A kernel as large as the stride is a call; one that is data, taps that lie
// apart, a product with a bias and a large maximum of few channels are the
// core's.
// CHECK-LABEL: func.func @kernels(
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<1> : tensor<1x2x2x1xi8>}>
// CHECK: luna.conv2d ins(%{{.*}}, %[[W]]
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: luna.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: luna.
func.func @kernels(%x: tensor<1x8x8x1xi8>, %d: tensor<1x1x1x1xi8>) -> (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x2x2x1xi8>) {
  %w = "tosa.const"() <{values = dense<1> : tensor<1x2x2x1xi8>}> : () -> tensor<1x2x2x1xi8>
  %o = tensor.empty() : tensor<1x4x4x1xi8>
  %q = tensor.empty() : tensor<1x2x2x1xi8>
  %a = luna.conv2d ins(%x, %w : tensor<1x8x8x1xi8>, tensor<1x2x2x1xi8>) outs(%o : tensor<1x4x4x1xi8>)
      {stride = array<i64: 2, 2>, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x4x4x1xi8>
  // CORE: :[[@LINE+1]]:8: remark: machine 'venus' has no call for it: the core computes it
  %b = luna.conv2d ins(%x, %d : tensor<1x8x8x1xi8>, tensor<1x1x1x1xi8>) outs(%o : tensor<1x4x4x1xi8>)
      {stride = array<i64: 2, 2>, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x4x4x1xi8>
  // CORE: :[[@LINE+1]]:8: remark: machine 'venus' has no call for it: the core computes it
  %c = luna.conv2d ins(%x, %w : tensor<1x8x8x1xi8>, tensor<1x2x2x1xi8>) outs(%q : tensor<1x2x2x1xi8>)
      {stride = array<i64: 4, 4>, dilation = array<i64: 2, 2>, requant = #luna.requant<mode = shift, shift = 3>} -> tensor<1x2x2x1xi8>
  return %a, %b, %c : tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x2x2x1xi8>
}

func.func @others(%x: tensor<1x4x3xi8>, %y: tensor<1x3x2xi8>, %b: tensor<2xi32>, %z: tensor<1x600x600x1xi8>) -> (tensor<1x4x2xi32>, tensor<1x300x300x1xi8>) {
  %o = tensor.empty() : tensor<1x4x2xi32>
  %p = tensor.empty() : tensor<1x300x300x1xi8>
  // CORE: :[[@LINE+1]]:8: remark: machine 'venus' has no call for it: the core computes it
  %r = luna.matmul ins(%x, %y : tensor<1x4x3xi8>, tensor<1x3x2xi8>) bias(%b : tensor<2xi32>) outs(%o : tensor<1x4x2xi32>)
      {requant = #luna.requant<mode = none>} -> tensor<1x4x2xi32>
  // CORE: :[[@LINE+1]]:8: remark: machine 'venus' has no call for it: the core computes it
  %s = luna.max_pool2d ins(%z : tensor<1x600x600x1xi8>) outs(%p : tensor<1x300x300x1xi8>)
      {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} -> tensor<1x300x300x1xi8>
  return %r, %s : tensor<1x4x2xi32>, tensor<1x300x300x1xi8>
}
