memref.global "private" constant @w : memref<6x1x1x3xi8> = dense<[[[[1, 2, 3]]], [[[4, 5, 6]]], [[[7, 8, 9]]], [[[10, 11, 12]]], [[[13, 14, 15]]], [[[16, 17, 18]]]]>
memref.global "private" constant @d : memref<2x1x6x1xi8> = dense<[[[[1], [2], [3], [4], [5], [6]]], [[[7], [8], [9], [10], [11], [12]]]]>
func.func @main(%x: memref<1x4x4x3xi8>, %y: memref<1x3x4x6xi8>) {
  %w = memref.get_global @w : memref<6x1x1x3xi8>
  %d = memref.get_global @d : memref<2x1x6x1xi8>
  %i = memref.alloc() : memref<1x4x4x3xi8>
  %a = memref.alloc() : memref<1x4x4x6xi8>
  %b = memref.alloc() : memref<1x3x4x6xi8>
  luna.add ins(%x, %x : memref<1x4x4x3xi8>, memref<1x4x4x3xi8>) outs(%i : memref<1x4x4x3xi8>) {requant = #luna.requant<mode = shift>}
  luna.conv2d ins(%i, %w : memref<1x4x4x3xi8>, memref<6x1x1x3xi8>) outs(%a : memref<1x4x4x6xi8>)
      {requant = #luna.requant<mode = shift, shift = 2>}
  luna.conv2d ins(%a, %d : memref<1x4x4x6xi8>, memref<2x1x6x1xi8>) outs(%b : memref<1x3x4x6xi8>)
      {kind = 1 : i32, requant = #luna.requant<mode = shift, shift = 3>}
  luna.add ins(%b, %b : memref<1x3x4x6xi8>, memref<1x3x4x6xi8>) outs(%y : memref<1x3x4x6xi8>) {requant = #luna.requant<mode = shift>}
  return
}
