func.func @fully_connected(%x: memref<1x1x8xi8>, %w: memref<1x4x8xi8>, %o: memref<1x1x4xi8>) {
  luna.matmul ins(%x, %w : memref<1x1x8xi8>, memref<1x4x8xi8>)
      outs(%o : memref<1x1x4xi8>) {rhs_transposed, lhs_zp = 3 : i32, rhs_zp = -4 : i32, requant = #luna.requant<mode = shift, shift = 7>}
  return
}
