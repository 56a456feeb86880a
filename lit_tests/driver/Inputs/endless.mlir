func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  cf.br ^a
^a:
  cf.br ^a
}
