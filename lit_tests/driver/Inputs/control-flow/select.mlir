func.func @main(%x: tensor<4xi8>, %y: tensor<4xi8>, %c: tensor<i1>) -> tensor<4xi8> {
  %r = tosa.cond_if %c : tensor<i1> -> tensor<4xi8> {
    tosa.yield %x : tensor<4xi8>
  } else {
    tosa.yield %y : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
