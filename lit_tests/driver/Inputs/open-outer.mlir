func.func @main(%x: tensor<?x1xi8> {luna.name = "x"}, %y: tensor<1x?xi8> {luna.name = "y"}) -> (tensor<?x?xi8> {luna.name = "sums"}) {
  %s = tosa.add %x, %y : (tensor<?x1xi8>, tensor<1x?xi8>) -> tensor<?x?xi8>
  return %s : tensor<?x?xi8>
}
