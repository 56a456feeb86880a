// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=calls})' > %t.after
// RUN: diff %t.before %t.after

memref.global "private" constant @w : memref<1x2x2x1xi8> = dense<[[[[1], [2]], [[3], [4]]]]>
memref.global "private" constant @variable : memref<1x2x2x1xi8>
memref.global "private" constant @two : memref<2x1x1xi8> = dense<3>
func.func private @declared(memref<4xi8>)

// Without a zero point of the input, or with one of the weights.
func.func @zero_points(%x: memref<1x3x3x1xi8>, %y: memref<1x2x2x1xi32>) {
  %w = memref.get_global @w : memref<1x2x2x1xi8>
  luna.conv2d ins(%x, %w : memref<1x3x3x1xi8>, memref<1x2x2x1xi8>) outs(%y : memref<1x2x2x1xi32>) {requant = #luna.requant<>}
  luna.conv2d ins(%x, %w : memref<1x3x3x1xi8>, memref<1x2x2x1xi8>) outs(%y : memref<1x2x2x1xi32>)
      {input_zp = 3 : i32, weight_zp = 1 : i32, requant = #luna.requant<>}
  return
}

// Weights and biases that are not constant, or not known.
func.func @arguments(%x: memref<1x3x3x1xi8>, %w: memref<1x2x2x1xi8>, %b: memref<1xi32>, %y: memref<1x2x2x1xi32>) {
  %c = memref.get_global @w : memref<1x2x2x1xi8>
  %v = memref.get_global @variable : memref<1x2x2x1xi8>
  luna.conv2d ins(%x, %w : memref<1x3x3x1xi8>, memref<1x2x2x1xi8>) outs(%y : memref<1x2x2x1xi32>) {input_zp = 3 : i32, requant = #luna.requant<>}
  luna.conv2d ins(%x, %v : memref<1x3x3x1xi8>, memref<1x2x2x1xi8>) outs(%y : memref<1x2x2x1xi32>) {input_zp = 3 : i32, requant = #luna.requant<>}
  luna.conv2d ins(%x, %c : memref<1x3x3x1xi8>, memref<1x2x2x1xi8>) bias(%b : memref<1xi32>) outs(%y : memref<1x2x2x1xi32>)
      {input_zp = 3 : i32, requant = #luna.requant<>}
  return
}

// The zeros between the inputs of a transposed convolution, which no bias
// makes up for; two right matrices, which have one bias.
func.func @kinds(%x: memref<1x3x3x1xi8>, %y: memref<1x6x6x1xi32>, %lhs: memref<2x4x1xi8>, %z: memref<2x4x1xi32>) {
  %w = memref.get_global @w : memref<1x2x2x1xi8>
  %m = memref.get_global @two : memref<2x1x1xi8>
  luna.conv2d ins(%x, %w : memref<1x3x3x1xi8>, memref<1x2x2x1xi8>) outs(%y : memref<1x6x6x1xi32>)
      {kind = 2 : i32, stride = array<i64: 2, 2>, input_zp = 3 : i32, requant = #luna.requant<>}
  luna.matmul ins(%lhs, %m : memref<2x4x1xi8>, memref<2x1x1xi8>) outs(%z : memref<2x4x1xi32>) {lhs_zp = 3 : i32, requant = #luna.requant<>}
  return
}
