// A batch through a convolution and an average pool, compiled and run: one
// operator of the unit for each image.
// RUN: lunac run %s --random-input=1 --cases=2 --check | FileCheck %s
// RUN: lunac compile %s --emit=luna | FileCheck %s --check-prefix=UNIT
// CHECK: 0 hazards; 2 runs equal the upstream CPU path bit for bit
// UNIT-NOT: linalg.conv

func.func @main(%x: tensor<3x6x6x2xi8>) -> (tensor<3x6x6x4xi8>, tensor<3x3x3x2xi8>) {
  %w = "tosa.const"() <{values = dense<[[[[1, -2], [3, 4], [5, 6]], [[7, -8], [9, 1], [2, 3]], [[4, 5], [6, 7], [-8, 9]]],
                                        [[[2, 1], [4, 3], [6, -5]], [[8, 7], [-1, 9], [3, 2]], [[5, 4], [7, -6], [9, 8]]],
                                        [[[9, 8], [7, 6], [5, -4]], [[3, 2], [-1, 0], [1, 2]], [[-3, 4], [5, 6], [7, 8]]],
                                        [[[1, 1], [2, 2], [3, 3]], [[4, -4], [5, 5], [6, 6]], [[7, 7], [8, -8], [9, 9]]]]> : tensor<4x3x3x2xi8>}> : () -> tensor<4x3x3x2xi8>
  %b = "tosa.const"() <{values = dense<[10, -20, 30, -40]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sums = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<3x6x6x2xi8>, tensor<4x3x3x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x6x6x4xi32>
  %conv = tosa.rescale %sums, %m, %s, %z32, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<3x6x6x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3x6x6x4xi8>
  %pool = tosa.avg_pool2d %x, %z, %z {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<3x6x6x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x3x3x2xi8>
  return %conv, %pool : tensor<3x6x6x4xi8>, tensor<3x3x3x2xi8>
}
