// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-fold-constants)' | FileCheck %s

// The last bit of these is the C library's.
// CHECK-LABEL: func.func @library
// CHECK: tosa.exp
// CHECK: math.tanh
func.func @library() -> (tensor<1xf32>, f32) {
  %a = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %b = arith.constant 1.0 : f32
  %e = tosa.exp %a : (tensor<1xf32>) -> tensor<1xf32>
  %t = math.tanh %b : f32
  return %e, %t : tensor<1xf32>, f32
}

// No result: a division by zero, a shift by more than all bits, a number that
// does not fit, an element outside, elements never written.
// CHECK-LABEL: func.func @undefined
// CHECK: arith.divsi
// CHECK: arith.shli
// CHECK: arith.fptosi
// CHECK: tensor.extract
// CHECK: tensor.insert
func.func @undefined() -> (i32, i32, i8, i32, tensor<2xi32>) {
  %zero = arith.constant 0 : i32
  %many = arith.constant 32 : i32
  %large = arith.constant 300.0 : f32
  %list = arith.constant dense<[1, 2]> : tensor<2xi32>
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<2xi32>
  %q = arith.divsi %many, %zero : i32
  %s = arith.shli %many, %many : i32
  %i = arith.fptosi %large : f32 to i8
  %e = tensor.extract %list[%c2] : tensor<2xi32>
  %n = tensor.insert %zero into %empty[%c1] : tensor<2xi32>
  return %q, %s, %i, %e, %n : i32, i32, i8, i32, tensor<2xi32>
}

// There is no cheaper way to make such a tensor.
// CHECK-LABEL: func.func @fills
// CHECK: tensor.splat
// CHECK: linalg.fill
func.func @fills() -> (tensor<64xf32>, tensor<64xf32>) {
  %a = arith.constant 1.0 : f32
  %s = tensor.splat %a : tensor<64xf32>
  %empty = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%a : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  return %s, %f : tensor<64xf32>, tensor<64xf32>
}

// The patterns on quantised operators look for these.
// CHECK-LABEL: func.func @dequantized
// CHECK: luna.dequantize
// CHECK: tosa.transpose
func.func @dequantized() -> tensor<2x1xf32> {
  %a = "tosa.const"() <{values = dense<[[1, 2]]> : tensor<1x2xi8>}> : () -> tensor<1x2xi8>
  %scale = arith.constant dense<0.5> : tensor<f32>
  %d = luna.dequantize %a, %scale : (tensor<1x2xi8>, tensor<f32>) -> tensor<1x2xf32>
  %t = tosa.transpose %d {perms = array<i32: 1, 0>} : (tensor<1x2xf32>) -> tensor<2x1xf32>
  return %t : tensor<2x1xf32>
}

// CHECK-LABEL: func.func @widened
// CHECK: tosa.cast
// CHECK: tosa.rescale
// CHECK: tosa.add
// CHECK: return
func.func @widened() -> tensor<2xi32> {
  %a = "tosa.const"() <{values = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.cast %a : (tensor<2xi8>) -> tensor<2xi32>
  %r = tosa.rescale %a, %m, %s, %z8, %z32 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2xi32>
  %t = tosa.add %c, %r : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %t : tensor<2xi32>
}

// Operands that only the program knows, and state.
// CHECK-LABEL: func.func @variable
// CHECK: tosa.add
// CHECK: tosa.variable_read
// CHECK: scf.for
tosa.variable @state = dense<3> : tensor<1xi32>
func.func @variable(%x: tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>, i32) {
  %a = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = tosa.add %x, %a : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %v = tosa.variable_read @state : tensor<1xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = scf.for %i = %c0 to %c3 step %c1 iter_args(%k = %zero) -> i32 {
    %next = arith.addi %k, %one : i32
    scf.yield %next : i32
  }
  return %s, %v, %n : tensor<1xi32>, tensor<1xi32>, i32
}
