// Two wide values, one after the other: 69,632 bytes as written.
// RUN: lunac run %s --random-input=1 --check 2>&1 | FileCheck %s
// CHECK: on chip   40960 of 655360 bytes, bound 40960
// CHECK: 0 hazards; 1 runs equal the upstream CPU path bit for bit
func.func @main(%x: tensor<1x16x16x4xf32>) -> (tensor<1x16x16x4xf32>, tensor<1x16x16x32xf32>) {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<0.01> : tensor<32x1x1x4xf32>} : () -> tensor<32x1x1x4xf32>
  %b = "tosa.const"() {values = dense<0.1> : tensor<32xf32>} : () -> tensor<32xf32>
  %v = "tosa.const"() {values = dense<0.02> : tensor<4x1x1x32xf32>} : () -> tensor<4x1x1x32xf32>
  %c = "tosa.const"() {values = dense<0.2> : tensor<4xf32>} : () -> tensor<4xf32>
  %a1 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x16x16x4xf32>, tensor<32x1x1x4xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x32xf32>
  %a2 = tosa.tanh %a1 : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %b1 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x16x16x4xf32>, tensor<32x1x1x4xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x32xf32>
  %b2 = tosa.sigmoid %b1 : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %a3 = tosa.conv2d %a2, %v, %c, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x16x16x32xf32>, tensor<4x1x1x32xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x4xf32>
  %b3 = tosa.conv2d %b2, %v, %c, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x16x16x32xf32>, tensor<4x1x1x32xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x4xf32>
  %y = tosa.add %a3, %b3 : (tensor<1x16x16x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %y, %b2 : tensor<1x16x16x4xf32>, tensor<1x16x16x32xf32>
}
