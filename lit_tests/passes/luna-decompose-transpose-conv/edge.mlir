// The output leaves out as much as it may on both sides: of 1 10 102 20 203 30
// 300 what lies between.
// RUN: python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<3f', 1, 2, 3))" > %t.x.bin
// RUN: python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<3f', 102, 20, 203))" > %t.y.bin
// RUN: lunac run %s --input=%t.x.bin --expect=%t.y.bin --check | FileCheck %s
// CHECK: 1 runs equal the upstream CPU path bit for bit; 1 outputs are as expected

func.func @main(%x: tensor<1x1x3x1xf32>) -> tensor<1x1x3x1xf32> {
  %w = "tosa.const"() <{values = dense<[[[[1.0], [10.0], [100.0]]]]> : tensor<1x1x3x1xf32>}> : () -> tensor<1x1x3x1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.transpose_conv2d %x, %w, %z, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, -2, -2>, stride = array<i64: 1, 2>} : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3x1xf32>
  return %y : tensor<1x1x3x1xf32>
}
