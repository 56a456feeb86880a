// The unit reads constants that are no weights as they are: those that a branch
// chooses, images of a batch, what is sliced from a select of a constant and an
// input. Constants in resources are like others.

// RUN: lunac run %s --random-input=3 --cases=2 --check | FileCheck %s
// RUN: lunac run %s --random-input=3 --check --machine=arcs --io=on-chip --dma=sync | FileCheck %s
// CHECK: 0 hazards; {{[0-9]+}} runs equal the upstream CPU path bit for bit
func.func @main(%c: tensor<i1>, %x: tensor<1x4x4x8xi8>, %y: tensor<4x2xf32>) -> (tensor<1x4x4x2xi32>, tensor<2x7x3x2xi32>, tensor<3x1xf32>, tensor<4x2xf32>) {
  %w1 = arith.constant dense<3> : tensor<2x1x1x8xi8>
  %w2 = arith.constant dense<5> : tensor<2x1x1x8xi8>
  %images = arith.constant dense_resource<images> : tensor<2x7x3x1xi8>
  %k = "tosa.const"() <{values = dense_resource<k> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
  %b = arith.constant dense<7> : tensor<2xi32>
  %z = arith.constant dense<0> : tensor<1xi8>
  %p = tensor.extract %c[] : tensor<i1>
  %w = scf.if %p -> (tensor<2x1x1x8xi8>) {
    scf.yield %w1 : tensor<2x1x1x8xi8>
  } else {
    scf.yield %w2 : tensor<2x1x1x8xi8>
  }
  %r = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x8xi8>, tensor<2x1x1x8xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %v = tensor.extract_slice %x[0, 0, 0, 0] [1, 2, 1, 1] [1, 1, 1, 1] : tensor<1x4x4x8xi8> to tensor<2xi8>
  %v4 = tensor.expand_shape %v [[0, 1, 2, 3]] output_shape [2, 1, 1, 1] : tensor<2xi8> into tensor<2x1x1x1xi8>
  %s = tosa.conv2d %images, %v4, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<2x7x3x1xi8>, tensor<2x1x1x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x7x3x2xi32>
  %m = scf.if %p -> (tensor<4x2xf32>) {
    scf.yield %k : tensor<4x2xf32>
  } else {
    scf.yield %y : tensor<4x2xf32>
  }
  %part = tensor.extract_slice %m[1, 1] [3, 1] [1, 1] : tensor<4x2xf32> to tensor<3x1xf32>
  %e = tosa.exp %y : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r, %s, %part, %e : tensor<1x4x4x2xi32>, tensor<2x7x3x2xi32>, tensor<3x1xf32>, tensor<4x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      images: "0x01000000000102FDFE7F80000102FDFE7F80000102FDFE7F80000102FDFE7F80000102FDFE7F80000102FDFE7F80",
      k: "0x040000000000803F000000400000404000008040000080BF000000C0000040C0000080C0"
    }
  }
#-}
