// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-luna))' | FileCheck %s

// Every class that requantises, in every mode.

// CHECK-LABEL: func.func @conv2d
// CHECK: luna.conv2d {{.*}}requant = #luna.requant<mode = multiplier, multiplier = 1073741824, shift = 36, zero_point = -3, clamp_min = -3, clamp_max = 90>
// CHECK-NOT: tosa.clamp
func.func @conv2d(%x: tensor<1x4x4x2xi8>, %w: tensor<3x1x1x2xi8>, %o: tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8> {
  %r = luna.conv2d ins(%x, %w : tensor<1x4x4x2xi8>, tensor<3x1x1x2xi8>) outs(%o : tensor<1x4x4x3xi8>) {
    requant = #luna.requant<mode = multiplier, multiplier = 1073741824, shift = 36, zero_point = -3>} -> tensor<1x4x4x3xi8>
  %c = tosa.clamp %r {min_val = -3 : i8, max_val = 90 : i8} : (tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8>
  return %c : tensor<1x4x4x3xi8>
}

// CHECK-LABEL: func.func @float
// CHECK: luna.conv2d {{.*}}requant = #luna.requant<mode = float, scale = 1.000000e-01 : f32, clamp_min = 0>
// CHECK-NOT: tosa.clamp
func.func @float(%x: tensor<1x4x4x2xi8>, %w: tensor<3x1x1x2xi8>, %o: tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8> {
  %r = luna.conv2d ins(%x, %w : tensor<1x4x4x2xi8>, tensor<3x1x1x2xi8>) outs(%o : tensor<1x4x4x3xi8>) {
    requant = #luna.requant<mode = float, scale = 1.000000e-01 : f32>} -> tensor<1x4x4x3xi8>
  %c = tosa.clamp %r {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8>
  return %c : tensor<1x4x4x3xi8>
}

// CHECK-LABEL: func.func @elements
// CHECK: luna.add {{.*}}clamp_min = 0
// CHECK: luna.sub {{.*}}clamp_max = 0
// CHECK: luna.mul {{.*}}clamp_min = 7, clamp_max = 7
// CHECK-NOT: tosa.clamp
func.func @elements(%x: tensor<8xi8>, %y: tensor<8xi8>, %o: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %a = luna.add ins(%x, %y : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0>} -> tensor<8xi8>
  %ac = tosa.clamp %a {min_val = 0 : i8, max_val = 127 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  %s = luna.sub ins(%x, %y : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0>} -> tensor<8xi8>
  %sc = tosa.clamp %s {min_val = -128 : i8, max_val = 0 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  %m = luna.mul ins(%x, %y : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 5>} -> tensor<8xi8>
  %mc = tosa.clamp %m {min_val = 7 : i8, max_val = 7 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  return %ac, %sc, %mc : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

// Reversals and transposes move elements too; in a branch of its own the
// operator is at home.
// CHECK-LABEL: func.func @moves
// CHECK: scf.if
// CHECK: luna.add {{.*}}clamp_min = 0
// CHECK-NOT: tosa.clamp
func.func @moves(%c: i1, %x: tensor<4x2xi8>, %y: tensor<4x2xi8>) -> tensor<2x4xi8> {
  %r = scf.if %c -> tensor<2x4xi8> {
    %o = tensor.empty() : tensor<4x2xi8>
    %a = luna.add ins(%x, %y : tensor<4x2xi8>, tensor<4x2xi8>) outs(%o : tensor<4x2xi8>) {requant = #luna.requant<mode = shift, shift = 0>} -> tensor<4x2xi8>
    %b = tosa.reverse %a {axis = 0 : i32} : (tensor<4x2xi8>) -> tensor<4x2xi8>
    %t = tosa.transpose %b {perms = array<i32: 1, 0>} : (tensor<4x2xi8>) -> tensor<2x4xi8>
    %l = tosa.clamp %t {min_val = 0 : i8, max_val = 127 : i8} : (tensor<2x4xi8>) -> tensor<2x4xi8>
    scf.yield %l : tensor<2x4xi8>
  } else {
    %e = tensor.empty() : tensor<2x4xi8>
    scf.yield %e : tensor<2x4xi8>
  }
  return %r : tensor<2x4xi8>
}

// A layer whose rows are joined before its ReLU6: the bounds are those of the
// product, as far as it reached.

// CHECK-LABEL: func.func @layer
// CHECK: luna.matmul {{.*}}requant = #luna.requant<mode = shift, shift = 7, clamp_min = 0, clamp_max = 96>
// CHECK-NOT: tosa.clamp
func.func @layer(%x: tensor<1x4x8xi8>, %w: tensor<1x10x8xi8>) -> tensor<1x40xi8> {
  %o = tensor.empty() : tensor<1x4x10xi8>
  %r = luna.matmul ins(%x, %w : tensor<1x4x8xi8>, tensor<1x10x8xi8>) outs(%o : tensor<1x4x10xi8>) {
    requant = #luna.requant<mode = shift, shift = 7>, rhs_transposed} -> tensor<1x4x10xi8>
  %shape = tosa.const_shape {values = dense<[1, 40]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %r, %shape : (tensor<1x4x10xi8>, !tosa.shape<2>) -> tensor<1x40xi8>
  %relu6 = tosa.clamp %flat {min_val = 0 : i8, max_val = 96 : i8} : (tensor<1x40xi8>) -> tensor<1x40xi8>
  return %relu6 : tensor<1x40xi8>
}
