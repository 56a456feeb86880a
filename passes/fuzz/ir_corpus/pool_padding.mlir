func.func @main(%x: memref<1x4x4x2xi8>, %y: memref<1x2x2x2xi8>) {
  luna.max_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%y : memref<1x2x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 9223372036854775807, 0, 16, 0>}
  return
}
