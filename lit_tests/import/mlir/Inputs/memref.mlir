func.func @main(%x: memref<4xf32>) { return }
