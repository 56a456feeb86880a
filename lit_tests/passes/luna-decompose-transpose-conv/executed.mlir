// Floats, of which the unit has none, with strides that differ, output that
// grows on two sides, a kernel that gives twice each
// element and once the one before.
// RUN: python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<6f', 1, 2, 3, 4, 5, 6))" > %t.x.bin
// RUN: python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<20f', *([.5]*5 + [2.5, 5.5, 8.5, 3.5, .5] + [.5]*5 + [8.5, 14.5, 17.5, 6.5, .5])))" > %t.y.bin
// RUN: lunac run %s --input=%t.x.bin --expect=%t.y.bin --check | FileCheck %s
// CHECK: 1 runs equal the upstream CPU path bit for bit; 1 outputs are as expected

func.func @main(%x: tensor<1x2x3x1xf32>) -> tensor<1x4x5x1xf32> {
  %w = "tosa.const"() <{values = dense<[[[[2.0], [1.0]]]]> : tensor<1x1x2x1xf32>}> : () -> tensor<1x1x2x1xf32>
  %b = "tosa.const"() <{values = dense<0.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 1>} : (tensor<1x2x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x5x1xf32>
  return %y : tensor<1x4x5x1xf32>
}
