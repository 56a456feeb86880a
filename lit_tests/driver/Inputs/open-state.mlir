func.func @main(%x: tensor<?xi8>, %s: tensor<?xi8> {luna.state = "s"}) -> (tensor<?xi8>, tensor<?xi8> {luna.state = "s"}) {
  %y = tosa.maximum %x, %s : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %y, %y : tensor<?xi8>, tensor<?xi8>
}
