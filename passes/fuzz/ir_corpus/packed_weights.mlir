memref.global "private" constant @w : memref<2x2xi8, #luna.memory<psram>> = dense<[[1, 2], [3, 4]]>
memref.global "private" constant @b : memref<2xi32, #luna.memory<psram>> = dense<[5, -1]>
memref.global "private" constant @t : memref<2x2xi32, #luna.memory<psram>> = dense<7>

func.func @main(%x: memref<1x4x4x2xi8, #luna.memory<shared>>, %y: memref<1x4x4x2xi8, #luna.memory<shared>>) {
  %w = memref.get_global @w : memref<2x2xi8, #luna.memory<psram>>
  %w4 = memref.expand_shape %w [[0, 1, 2], [3]] output_shape [2, 1, 1, 2] : memref<2x2xi8, #luna.memory<psram>> into memref<2x1x1x2xi8, #luna.memory<psram>>
  %b = memref.get_global @b : memref<2xi32, #luna.memory<psram>>
  %t = memref.get_global @t : memref<2x2xi32, #luna.memory<psram>>
  luna.conv2d ins(%x, %w4 : memref<1x4x4x2xi8, #luna.memory<shared>>, memref<2x1x1x2xi8, #luna.memory<psram>>)
      bias(%b : memref<2xi32, #luna.memory<psram>>) table(%t : memref<2x2xi32, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x2xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = multiplier, per_channel = true>}
  return
}
