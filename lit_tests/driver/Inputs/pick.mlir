// An element at an index that is an input.
func.func @main(%x: tensor<8xi8>, %n: tensor<i32>) -> tensor<i8> {
  %m = tensor.extract %n[] : tensor<i32>
  %i = arith.index_cast %m : i32 to index
  %v = tensor.extract %x[%i] : tensor<8xi8>
  %r = tensor.from_elements %v : tensor<i8>
  return %r : tensor<i8>
}
