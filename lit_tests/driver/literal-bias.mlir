// A bias that is not a multiple of the unit of the sums is rounded to one, of
// convolutions, of a product of rows, and where the result stays float: values
// may be off by half a unit, which is said. A bias of the sums' scale moves
// nothing.
//
// RUN: lunac run %s --random-input=1 --cases=2 --check | FileCheck %s
// CHECK: 0 hazards; 2 runs equal the upstream CPU path bit for bit
// CHECK: literal reference: 3 of 3 luna.quantize and 4 results compared in binary64; of 3072 values {{[0-9]+}} at ties, {{[1-9][0-9]*}} by a rounded bias{{$}}
//
// RUN: sed -e '/^  .q = /d' -e '/^  .t = /d' -e 's/return .*/return %k : tensor<1x16x16x2xi8>/' -e 's/-> (tensor<1x16x16x2xi8>, .*) {/-> tensor<1x16x16x2xi8> {/' %s > %t.mlir
// RUN: lunac run %t.mlir --random-input=1 --cases=2 --check | FileCheck %s --check-prefix=EXACT
// EXACT: literal reference: 1 of 1 luna.quantize and 1 results compared in binary64; of 1024 values {{[0-9]+}} at ties{{$}}

func.func @main(%x: tensor<1x16x16x4xi8>) -> (tensor<1x16x16x2xi8>, tensor<1x256x2xi8>, tensor<1x16x16x2xf32>, tensor<1x16x16x2xi8>) {
  %sx = "tosa.const"() <{values = dense<0.05> : tensor<f32>}> : () -> tensor<f32>
  %sw = "tosa.const"() <{values = dense<0.1> : tensor<f32>}> : () -> tensor<f32>
  %sb = "tosa.const"() <{values = dense<0.005> : tensor<f32>}> : () -> tensor<f32>
  %sy = "tosa.const"() <{values = dense<0.07> : tensor<f32>}> : () -> tensor<f32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w8 = "tosa.const"() <{values = dense<[[[[1, 2, 3, 4]]], [[[-1, 2, -3, 4]]]]> : tensor<2x1x1x4xi8>}> : () -> tensor<2x1x1x4xi8>
  %w = luna.dequantize %w8, %sw : (tensor<2x1x1x4xi8>, tensor<f32>) -> tensor<2x1x1x4xf32>
  %m8 = "tosa.const"() <{values = dense<[[[1, 2], [3, -4], [5, 6], [7, -8]]]> : tensor<1x4x2xi8>}> : () -> tensor<1x4x2xi8>
  %m = luna.dequantize %m8, %sw : (tensor<1x4x2xi8>, tensor<f32>) -> tensor<1x4x2xf32>
  %b = "tosa.const"() <{values = dense<[0.0123, 1.0026]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %b3 = "tosa.const"() <{values = dense<[[[0.0123, 1.0026]]]> : tensor<1x1x2xf32>}> : () -> tensor<1x1x2xf32>
  %b32 = "tosa.const"() <{values = dense<[77, -5]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %bi = luna.dequantize %b32, %sb : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %f = luna.dequantize %x, %sx : (tensor<1x16x16x4xi8>, tensor<f32>) -> tensor<1x16x16x4xf32>
  %c = tosa.conv2d %f, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x16x16x4xf32>, tensor<2x1x1x4xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x2xf32>
  %q = luna.quantize %c, %sy : (tensor<1x16x16x2xf32>, tensor<f32>) -> tensor<1x16x16x2xi8>
  %rows = tosa.const_shape {values = dense<[1, 256, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %r = tosa.reshape %f, %rows : (tensor<1x16x16x4xf32>, !tosa.shape<3>) -> tensor<1x256x4xf32>
  %p = tosa.matmul %r, %m, %z, %z : (tensor<1x256x4xf32>, tensor<1x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x256x2xf32>
  %s = tosa.add %p, %b3 : (tensor<1x256x2xf32>, tensor<1x1x2xf32>) -> tensor<1x256x2xf32>
  %t = luna.quantize %s, %sy : (tensor<1x256x2xf32>, tensor<f32>) -> tensor<1x256x2xi8>
  %d = tosa.conv2d %f, %w, %bi, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x16x16x4xf32>, tensor<2x1x1x4xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x2xf32>
  %k = luna.quantize %d, %sy : (tensor<1x16x16x2xf32>, tensor<f32>) -> tensor<1x16x16x2xi8>
  return %q, %t, %c, %k : tensor<1x16x16x2xi8>, tensor<1x256x2xi8>, tensor<1x16x16x2xf32>, tensor<1x16x16x2xi8>
}
