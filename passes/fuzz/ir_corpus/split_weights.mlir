memref.global "private" constant @w : memref<20x1x1x2xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @b : memref<20xi32, #luna.memory<psram>> = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]>

func.func @main(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x20xi8>) {
  %w = memref.get_global @w : memref<20x1x1x2xi8, #luna.memory<psram>>
  %b = memref.get_global @b : memref<20xi32, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<20x1x1x2xi8, #luna.memory<psram>>)
      bias(%b : memref<20xi32, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x20xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}
