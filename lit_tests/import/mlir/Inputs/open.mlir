func.func @main(%x: tensor<?x?x4xf32> {luna.name = "x"}, %y: tensor<1x?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?xf32>) {
  %0 = tosa.add %x, %y : (tensor<?x?x4xf32>, tensor<1x?x4xf32>) -> tensor<?x?x4xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x?x4xf32>
  %c1 = arith.constant 1 : index
  %e = tensor.dim %0, %c1 : tensor<?x?x4xf32>
  %m = arith.muli %d, %e : index
  %c4 = arith.constant 4 : index
  %n = arith.muli %m, %c4 : index
  %c = tensor.collapse_shape %0 [[0,1,2]] : tensor<?x?x4xf32> into tensor<?xf32>
  return %0, %c : tensor<?x?x4xf32>, tensor<?xf32>
}
