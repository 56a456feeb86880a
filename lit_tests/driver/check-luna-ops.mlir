// The reference computes LUNA's own operators by luna-to-linalg, on every path.
// RUN: lunac run %s --random-input=1 --cases=2 --check | FileCheck %s

// CHECK: if0=then
// CHECK: if0=else
// CHECK: 0 hazards; 6 runs equal the upstream CPU path bit for bit
func.func @main(%x: tensor<1x6x6x3xi8>, %c: tensor<i1>, %w: tensor<1x4x27xi8>) -> (tensor<1x3x3x3xi8>, tensor<1x1x4xi8>) {
  %weight = arith.constant dense<[[[[3, -5, 7], [1, 9, -2]], [[4, 0, 6], [-8, 2, 5]]], [[[-1, 2, 3], [4, 5, 6]], [[7, 8, 9], [-7, -8, -9]]], [[[11, 0, -11], [0, 1, 0]], [[2, 2, 2], [5, 5, 5]]]]> : tensor<3x2x2x3xi8>
  %bias = arith.constant dense<[100, -200, 300]> : tensor<3xi32>
  %table = arith.constant dense<[[1073741824, 1234567890, 2000000000], [36, 37, 38]]> : tensor<2x3xi32>
  %empty = tensor.empty() : tensor<1x3x3x3xi8>
  %cond = tensor.extract %c[] : tensor<i1>
  %y = scf.if %cond -> tensor<1x3x3x3xi8> {
    %conv = luna.conv2d ins(%x, %weight : tensor<1x6x6x3xi8>, tensor<3x2x2x3xi8>) bias(%bias : tensor<3xi32>) table(%table : tensor<2x3xi32>)
        outs(%empty : tensor<1x3x3x3xi8>) {stride = array<i64: 2, 2>, input_zp = -7 : i32, requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true, zero_point = 4>} -> tensor<1x3x3x3xi8>
    scf.yield %conv : tensor<1x3x3x3xi8>
  } else {
    %pool = luna.avg_pool2d ins(%x : tensor<1x6x6x3xi8>) outs(%empty : tensor<1x3x3x3xi8>) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 1>, input_zp = 3 : i32, output_zp = -5 : i32} -> tensor<1x3x3x3xi8>
    scf.yield %pool : tensor<1x3x3x3xi8>
  }
  %twice = luna.add ins(%y, %y : tensor<1x3x3x3xi8>, tensor<1x3x3x3xi8>) outs(%empty : tensor<1x3x3x3xi8>) {requant = #luna.requant<mode = shift, shift = 1>} -> tensor<1x3x3x3xi8>
  %row = tensor.collapse_shape %twice [[0, 1, 2, 3]] : tensor<1x3x3x3xi8> into tensor<27xi8>
  %lhs = tensor.expand_shape %row [[0, 1, 2]] output_shape [1, 1, 27] : tensor<27xi8> into tensor<1x1x27xi8>
  %four = tensor.empty() : tensor<1x1x4xi8>
  %z = luna.matmul ins(%lhs, %w : tensor<1x1x27xi8>, tensor<1x4x27xi8>) outs(%four : tensor<1x1x4xi8>) {rhs_transposed, requant = #luna.requant<mode = float, scale = 0.007 : f32>} -> tensor<1x1x4xi8>
  return %twice, %z : tensor<1x3x3x3xi8>, tensor<1x1x4xi8>
}
