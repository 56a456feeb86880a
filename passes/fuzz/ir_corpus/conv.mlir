func.func @main(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>)
      outs(%y : memref<1x6x6x16xi8>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}
