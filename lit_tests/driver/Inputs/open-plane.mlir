func.func @main(%x: tensor<?x?xf32> {luna.name = "x"}) -> tensor<?x?xf32> {
  %y = tosa.add %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
