// The literal reference executes each luna.quantize of branches and loops as
// often as the program does.
//
// RUN: lunac run %s --random-input=1 --cases=3 --check | FileCheck %s
// CHECK: 0 hazards; {{[0-9]+}} runs equal the upstream CPU path bit for bit; 2 of 2 paths
// CHECK: literal reference: 3 of 3 luna.quantize and 1 results compared in binary64; of {{[0-9]+}} values {{[0-9]+}} at ties{{$}}

func.func @main(%x: tensor<8xi8>, %c: tensor<i1>) -> tensor<8xi8> {
  %scale = "tosa.const"() <{values = dense<0.02> : tensor<f32>}> : () -> tensor<f32>
  %zero = "tosa.const"() <{values = dense<5> : tensor<i8>}> : () -> tensor<i8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %low = arith.constant 5.0e-01 : f32
  %cond = tensor.extract %c[] : tensor<i1>
  %a = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> tensor<8xi8> {
    %f = luna.dequantize %v, %scale, %zero : (tensor<8xi8>, tensor<f32>, tensor<i8>) -> tensor<8xf32>
    %t = tosa.tanh %f : (tensor<8xf32>) -> tensor<8xf32>
    %q = luna.quantize %t, %scale, %zero : (tensor<8xf32>, tensor<f32>, tensor<i8>) -> tensor<8xi8>
    scf.yield %q : tensor<8xi8>
  }
  %b = scf.while (%v = %a) : (tensor<8xi8>) -> tensor<8xi8> {
    %f = luna.dequantize %v, %scale, %zero : (tensor<8xi8>, tensor<f32>, tensor<i8>) -> tensor<8xf32>
    %m = tosa.reduce_max %f {axis = 0 : i32} : (tensor<8xf32>) -> tensor<1xf32>
    %e = tensor.extract %m[%c0] : tensor<1xf32>
    %more = arith.cmpf ogt, %e, %low : f32
    scf.condition(%more) %v : tensor<8xi8>
  } do {
  ^bb0(%v: tensor<8xi8>):
    %f = luna.dequantize %v, %scale, %zero : (tensor<8xi8>, tensor<f32>, tensor<i8>) -> tensor<8xf32>
    %t = tosa.sin %f : (tensor<8xf32>) -> tensor<8xf32>
    %q = luna.quantize %t, %scale, %zero : (tensor<8xf32>, tensor<f32>, tensor<i8>) -> tensor<8xi8>
    scf.yield %q : tensor<8xi8>
  }
  %y = scf.if %cond -> tensor<8xi8> {
    %f = luna.dequantize %b, %scale, %zero : (tensor<8xi8>, tensor<f32>, tensor<i8>) -> tensor<8xf32>
    %t = tosa.abs %f : (tensor<8xf32>) -> tensor<8xf32>
    %q = luna.quantize %t, %scale, %zero : (tensor<8xf32>, tensor<f32>, tensor<i8>) -> tensor<8xi8>
    scf.yield %q : tensor<8xi8>
  } else {
    scf.yield %b : tensor<8xi8>
  }
  return %y : tensor<8xi8>
}
