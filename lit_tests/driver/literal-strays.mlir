// A number of turns that binary32 rounds: the literal reference, in binary64,
// takes another, and says what it left out.
//
// RUN: lunac run %s --random-input=1 --check | FileCheck %s
// CHECK: 0 hazards; 1 runs equal the upstream CPU path bit for bit
// CHECK: literal reference: 1 of 1 luna.quantize {{.*}}; 1 executions left out{{$}}

func.func @main(%x: tensor<8xi8>, %z: tensor<1xi8>) -> tensor<8xi8> {
  %scale = "tosa.const"() <{values = dense<0.02> : tensor<f32>}> : () -> tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %large = arith.constant 16777216.0 : f32
  %one = arith.constant 1.0 : f32
  %offset = arith.constant 16777215.0 : f32
  %f = luna.dequantize %z, %scale : (tensor<1xi8>, tensor<f32>) -> tensor<1xf32>
  %e = tensor.extract %f[%c0] : tensor<1xf32>
  %zero = arith.subf %e, %e : f32
  %next = arith.addf %zero, %one : f32
  %sum = arith.addf %large, %next : f32
  %turns = arith.subf %sum, %offset : f32
  %i32 = arith.fptosi %turns : f32 to i32
  %n = arith.index_cast %i32 : i32 to index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<8xi8> {
    %g = luna.dequantize %v, %scale : (tensor<8xi8>, tensor<f32>) -> tensor<8xf32>
    %t = tosa.abs %g : (tensor<8xf32>) -> tensor<8xf32>
    %q = luna.quantize %t, %scale : (tensor<8xf32>, tensor<f32>) -> tensor<8xi8>
    scf.yield %q : tensor<8xi8>
  }
  return %a : tensor<8xi8>
}
