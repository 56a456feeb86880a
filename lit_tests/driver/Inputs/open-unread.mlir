func.func @main(%x: tensor<?xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %z = tosa.add %y, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %z : tensor<4xi8>
}
