// RUN: luna-opt %s -o %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-propagate-shapes)' -o %t.after
// RUN: diff %t.before %t.after

func.func @static(%x: tensor<1x4x4x3xf32>) -> tensor<16x3xf32> {
  %s = tosa.const_shape {values = dense<[16, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %unused = tosa.abs %x : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %r = tosa.reshape %x, %s : (tensor<1x4x4x3xf32>, !tosa.shape<2>) -> tensor<16x3xf32>
  return %r : tensor<16x3xf32>
}

func.func @memref(%x: memref<?x8xf32>) -> memref<?x8xf32> {
  return %x : memref<?x8xf32>
}

func.func private @declared(tensor<?x8xf32>)
