// Two branches of different widths over an image of open size, written side by
// side; what they give is scaled, added and pooled.
func.func @main(%image: tensor<1x?x?x4xf32> {luna.name = "image"}) -> tensor<1x?x?x4xf32> {
  %wide_w = "tosa.const"() <{values = dense<1.250000e-01> : tensor<12x3x3x4xf32>}> : () -> tensor<12x3x3x4xf32>
  %wide_b = "tosa.const"() <{values = dense<5.000000e-01> : tensor<12xf32>}> : () -> tensor<12xf32>
  %slim_w = "tosa.const"() <{values = dense<-2.500000e-01> : tensor<8x1x1x4xf32>}> : () -> tensor<8x1x1x4xf32>
  %slim_b = "tosa.const"() <{values = dense<7.500000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
  %left_w = "tosa.const"() <{values = dense<6.250000e-02> : tensor<4x1x1x12xf32>}> : () -> tensor<4x1x1x12xf32>
  %right_w = "tosa.const"() <{values = dense<3.125000e-02> : tensor<4x1x1x8xf32>}> : () -> tensor<4x1x1x8xf32>
  %b = "tosa.const"() <{values = dense<1.000000e-01> : tensor<4xf32>}> : () -> tensor<4xf32>
  %z = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wide = tosa.conv2d %image, %wide_w, %wide_b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x?x4xf32>, tensor<12x3x3x4xf32>, tensor<12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x12xf32>
  %slim_sum = tosa.conv2d %image, %slim_w, %slim_b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x?x4xf32>, tensor<8x1x1x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x8xf32>
  %slim = tosa.sigmoid %slim_sum : (tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  %left = tosa.conv2d %wide, %left_w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x?x12xf32>, tensor<4x1x1x12xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x4xf32>
  %right = tosa.conv2d %slim, %right_w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x?x8xf32>, tensor<4x1x1x8xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x4xf32>
  %limit = tosa.clamp %left {min_val = 0.000000e+00 : f32, max_val = 6.000000e+00 : f32} : (tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32>
  %gate = tosa.tanh %right : (tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32>
  %product = tosa.mul %limit, %gate, %s : (tensor<1x?x?x4xf32>, tensor<1x?x?x4xf32>, tensor<1xi8>) -> tensor<1x?x?x4xf32>
  %sum = tosa.add %product, %limit : (tensor<1x?x?x4xf32>, tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32>
  %result = tosa.max_pool2d %sum {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32>
  return %result : tensor<1x?x?x4xf32>
}
