// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-luna))' | FileCheck %s

// Clamps that are no bounds of an operator before them: tables, or the core's.

// What is not clamped is used too: the result, or a move of it.
// CHECK-LABEL: func.func @used
// CHECK: luna.add {{.*}}{requant = #luna.requant<mode = shift>}
// CHECK: luna.table
// CHECK: luna.sub {{.*}}{requant = #luna.requant<mode = shift>}
// CHECK: luna.table
func.func @used(%x: tensor<8xi8>, %o: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %a = luna.add ins(%x, %x : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0>} -> tensor<8xi8>
  %b = tosa.clamp %a {min_val = 0 : i8, max_val = 127 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  %s = luna.sub ins(%x, %x : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0>} -> tensor<8xi8>
  %r = tosa.reverse %s {axis = 0 : i32} : (tensor<8xi8>) -> tensor<8xi8>
  %t = tosa.clamp %r {min_val = 0 : i8, max_val = 127 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  return %a, %b, %r, %t : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

// Sums of 32 bits have no bounds.
// CHECK-LABEL: func.func @wide
// CHECK: luna.matmul {{.*}}{requant = #luna.requant<>}
// CHECK: tosa.clamp
func.func @wide(%x: tensor<1x1x8xi8>, %w: tensor<1x8x2xi8>, %o: tensor<1x1x2xi32>) -> tensor<1x1x2xi32> {
  %r = luna.matmul ins(%x, %w : tensor<1x1x8xi8>, tensor<1x8x2xi8>) outs(%o : tensor<1x1x2xi32>) {requant = #luna.requant<mode = none>} -> tensor<1x1x2xi32>
  %c = tosa.clamp %r {min_val = 0 : i32, max_val = 99 : i32} : (tensor<1x1x2xi32>) -> tensor<1x1x2xi32>
  return %c : tensor<1x1x2xi32>
}

// No operator of the unit, one that does not requantise, floats, an argument.
// CHECK-LABEL: func.func @others
// CHECK: tosa.abs
// CHECK: luna.table
// CHECK: luna.max_pool2d
// CHECK: luna.table
// CHECK: tosa.exp
// CHECK: tosa.clamp
// CHECK: luna.table
func.func @others(%x: tensor<1x4x4x2xi8>, %f: tensor<4xf32>, %o: tensor<1x2x2x2xi8>) -> (tensor<1x4x4x2xi8>, tensor<1x2x2x2xi8>, tensor<4xf32>, tensor<1x4x4x2xi8>) {
  %a = tosa.abs %x : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %b = tosa.clamp %a {min_val = 0 : i8, max_val = 99 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %p = luna.max_pool2d ins(%x : tensor<1x4x4x2xi8>) outs(%o : tensor<1x2x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} -> tensor<1x2x2x2xi8>
  %q = tosa.clamp %p {min_val = 0 : i8, max_val = 99 : i8} : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2xi8>
  %e = tosa.exp %f : (tensor<4xf32>) -> tensor<4xf32>
  %g = tosa.clamp %e {min_val = 0.0 : f32, max_val = 9.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %h = tosa.clamp %x {min_val = 0 : i8, max_val = 99 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %b, %q, %g, %h : tensor<1x4x4x2xi8>, tensor<1x2x2x2xi8>, tensor<4xf32>, tensor<1x4x4x2xi8>
}

// An operator before a branch runs whichever is taken.
// CHECK-LABEL: func.func @outside
// CHECK: luna.add {{.*}}{requant = #luna.requant<mode = shift>}
// CHECK: scf.if
// CHECK: luna.table
func.func @outside(%c: i1, %x: tensor<8xi8>, %o: tensor<8xi8>) -> tensor<8xi8> {
  %a = luna.add ins(%x, %x : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0>} -> tensor<8xi8>
  %r = scf.if %c -> tensor<8xi8> {
    %b = tosa.clamp %a {min_val = 0 : i8, max_val = 127 : i8} : (tensor<8xi8>) -> tensor<8xi8>
    scf.yield %b : tensor<8xi8>
  } else {
    scf.yield %x : tensor<8xi8>
  }
  return %r : tensor<8xi8>
}
