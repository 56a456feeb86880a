func.func @main(%x: tensor<4xi8>, %c: tensor<i1>) -> tensor<4xi8> {
  %b = tensor.extract %c[] : tensor<i1>
  cf.cond_br %b, ^a, ^d
^a:
  %t = tosa.clamp %x {min_val = 0 : i8, max_val = 100 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  cf.br ^e(%t : tensor<4xi8>)
^d:
  cf.br ^e(%x : tensor<4xi8>)
^e(%r: tensor<4xi8>):
  return %r : tensor<4xi8>
}
