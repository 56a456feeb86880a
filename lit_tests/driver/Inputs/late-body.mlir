func.func @main(%x: tensor<4x8xf32>, %n: tensor<1xi32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %i = tensor.extract %n[%c0] : tensor<1xi32>
  %k = arith.index_cast %i : i32 to index
  %s = tensor.extract_slice %x[0, 0] [%k, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  %a = tosa.abs %s : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = tensor.insert_slice %a into %x[0, 0] [%k, 8] [1, 1] : tensor<?x8xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
