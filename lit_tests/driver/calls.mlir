// Calls where planes are hard to come by: a dilated kernel that is one of blocks of
// rows, in each of which no tap lies apart, on rows of images of a batch; an input
// that is a constant.
// RUN: lunac run %s --random-input=1 --check --stats=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t.json
// RUN: lunac run %s --machine=arcs --random-input=1 --check | FileCheck %s
// CHECK: 0 hazards; 1 runs equal the upstream CPU path bit for bit
// STATS: "launches": {
// STATS-NEXT: "total": [[COUNT:[1-9][0-9]*]],
// STATS-NEXT: "calls": [[COUNT]]
func.func @main(%x: tensor<2x2x5x9xi8>) -> (tensor<2x2x3x3xi32>, tensor<1x2x2x3xi32>) {
  %w = "tosa.const"() <{values = dense<3> : tensor<3x3x2x9xi8>}> : () -> tensor<3x3x2x9xi8>
  %b = "tosa.const"() <{values = dense<5> : tensor<3xi32>}> : () -> tensor<3xi32>
  %low = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.conv2d %x, %w, %b, %low, %zero {acc_type = i32, pad = array<i64: 2, 2, 0, 1>, stride = array<i64: 1, 2>, dilation = array<i64: 2, 1>} : (tensor<2x2x5x9xi8>, tensor<3x3x2x9xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x2x3x3xi32>
  %c = "tosa.const"() <{values = dense<[[[[1, -2], [3, 4]], [[5, -6], [7, 8]]]]> : tensor<1x2x2x2xi8>}> : () -> tensor<1x2x2x2xi8>
  %v = "tosa.const"() <{values = dense<[[[[1, 2]]], [[[-3, 4]]], [[[5, 6]]]]> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2xi8>
  %s = tosa.conv2d %c, %v, %b, %low, %zero {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi32>
  return %r, %s : tensor<2x2x3x3xi32>, tensor<1x2x2x3xi32>
}
