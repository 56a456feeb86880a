func.func @main(%x: tensor<?xi8>, %c: tensor<i1>, %z: tensor<4xi8>) -> (tensor<?xi8>, tensor<4xi8>) {
  %p = tensor.extract %c[] : tensor<i1>
  %r = scf.if %p -> tensor<4xi8> {
    luna.label "shape"
    %y = tosa.add %z, %z : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
    scf.yield %y : tensor<4xi8>
  } else {
    luna.label "shape"
    scf.yield %z : tensor<4xi8>
  }
  return %x, %r : tensor<?xi8>, tensor<4xi8>
}
