func.func @main(%a0: tensor<1x2x3x4x5xi8>) -> tensor<1x2x3x4x5xi8> {
  %r = tosa.clamp %a0 {min_val = -3 : i8, max_val = 5 : i8} : (tensor<1x2x3x4x5xi8>) -> tensor<1x2x3x4x5xi8>
  return %r : tensor<1x2x3x4x5xi8>
}
