func.func @main(%x: tensor<1x8xi8>) -> (tensor<1x8xi8> {luna.name = "a/b"}, tensor<1x8xi8> {luna.name = "a_b"}) {
  %0 = tosa.clamp %x {min_val = 0 : i8, max_val = 100 : i8} : (tensor<1x8xi8>) -> tensor<1x8xi8>
  %1 = tosa.clamp %x {min_val = -9 : i8, max_val = 9 : i8} : (tensor<1x8xi8>) -> tensor<1x8xi8>
  return %0, %1 : tensor<1x8xi8>, tensor<1x8xi8>
}
