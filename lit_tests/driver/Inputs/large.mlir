func.func @main(%x: tensor<1x512x512x4xi8>) -> tensor<1x512x512x4xi8> {
  %r = tosa.clamp %x {min_val = 0 : i8, max_val = 100 : i8} : (tensor<1x512x512x4xi8>) -> tensor<1x512x512x4xi8>
  return %r : tensor<1x512x512x4xi8>
}
