// All int8 values dequantised, and floats quantised in each rounding: exact
// ties and their neighbours, what saturates, and random ones. Inputs/exact.py
// computes in plain Python what each has to give.
// RUN: mkdir -p %t && python3 %S/Inputs/exact.py %t
// RUN: lunac run %s --input=%t/x.npy --input=%t/q.bin --expect=%t/even.bin --expect=%t/away.bin --expect=%t/unsigned.bin --expect=%t/wide.bin --expect=%t/up.bin --expect=%t/wide_up.bin --expect=%t/floats.npy --expect=%t/from_unsigned.npy --check | FileCheck %s
// CHECK: 0 hazards; {{.*}} bit for bit; 8 outputs are as expected

func.func @main(%x: tensor<4096xf32>, %q: tensor<256xi8>) -> (tensor<4096xi8>, tensor<4096xi8>, tensor<4096xi8>, tensor<4096xi16>, tensor<4096xi8>, tensor<4096xi16>, tensor<256xf32>, tensor<256xf32>) {
  %scale = arith.constant dense<0.125> : tensor<f32>
  %third = arith.constant dense<0.3333333> : tensor<f32>
  %zero = arith.constant dense<-5> : tensor<i8>
  %ten = arith.constant dense<10> : tensor<i16>
  %even = luna.quantize %x, %scale, %zero : (tensor<4096xf32>, tensor<f32>, tensor<i8>) -> tensor<4096xi8>
  %away = luna.quantize %x, %scale, %zero rounding half_away : (tensor<4096xf32>, tensor<f32>, tensor<i8>) -> tensor<4096xi8>
  %unsigned = luna.quantize %x, %third, %zero unsigned : (tensor<4096xf32>, tensor<f32>, tensor<i8>) -> tensor<4096xi8>
  %wide = luna.quantize %x, %third, %ten unsigned rounding half_away : (tensor<4096xf32>, tensor<f32>, tensor<i16>) -> tensor<4096xi16>
  %up = luna.quantize %x, %scale, %zero rounding half_up : (tensor<4096xf32>, tensor<f32>, tensor<i8>) -> tensor<4096xi8>
  %wide_up = luna.quantize %x, %third, %ten rounding half_up : (tensor<4096xf32>, tensor<f32>, tensor<i16>) -> tensor<4096xi16>
  %floats = luna.dequantize %q, %third, %zero : (tensor<256xi8>, tensor<f32>, tensor<i8>) -> tensor<256xf32>
  %from_unsigned = luna.dequantize %q, %third, %zero unsigned : (tensor<256xi8>, tensor<f32>, tensor<i8>) -> tensor<256xf32>
  return %even, %away, %unsigned, %wide, %up, %wide_up, %floats, %from_unsigned : tensor<4096xi8>, tensor<4096xi8>, tensor<4096xi8>, tensor<4096xi16>, tensor<4096xi8>, tensor<4096xi16>, tensor<256xf32>, tensor<256xf32>
}
