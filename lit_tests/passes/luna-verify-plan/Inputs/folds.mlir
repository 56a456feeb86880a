memref.global "private" constant @nine : memref<1x3x3x1xi8> = dense<[[[[1], [2], [3]], [[4], [5], [6]], [[7], [8], [9]]]]>
memref.global "private" constant @w : memref<1x1x1x4xi8> = dense<[[[[1, 2, 3, 4]]]]>
memref.global "private" constant @b : memref<1xi32> = dense<100>
memref.global "private" constant @hwcm : memref<2x2x1x1xi8> = dense<[[[[5]], [[6]]], [[[7]], [[8]]]]>
memref.global "private" constant @rows : memref<1x2x4xi8> = dense<[[[1, 2, 3, 5], [1, 1, 1, 1]]]>
func.func @main(%x: memref<1x3x3x4xi8>, %l: memref<1x2x4xi8>, %y: memref<1x2x2x1xi32>, %z: memref<1x2x2xi32>, %v: memref<1x3x3x1xi32>) {
  %c = memref.get_global @nine : memref<1x3x3x1xi8>
  %w = memref.get_global @w : memref<1x1x1x4xi8>
  %b = memref.get_global @b : memref<1xi32>
  %d = memref.get_global @hwcm : memref<2x2x1x1xi8>
  %r = memref.get_global @rows : memref<1x2x4xi8>
  %a = memref.alloc() : memref<1x3x3x1xi8>
  luna.conv2d ins(%x, %w : memref<1x3x3x4xi8>, memref<1x1x1x4xi8>) bias(%b : memref<1xi32>) outs(%a : memref<1x3x3x1xi8>)
      {input_zp = 3 : i32, requant = #luna.requant<mode = shift, shift = 4>}
  luna.conv2d ins(%a, %d : memref<1x3x3x1xi8>, memref<2x2x1x1xi8>) outs(%y : memref<1x2x2x1xi32>)
      {kind = 1 : i32, input_zp = 3 : i32, requant = #luna.requant<>}
  luna.matmul ins(%l, %r : memref<1x2x4xi8>, memref<1x2x4xi8>) outs(%z : memref<1x2x2xi32>)
      {rhs_transposed, lhs_zp = 3 : i32, requant = #luna.requant<>}
  luna.conv2d ins(%a, %c : memref<1x3x3x1xi8>, memref<1x3x3x1xi8>) outs(%v : memref<1x3x3x1xi32>)
      {input_zp = 3 : i32, pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<>}
  return
}
