func.func @main(%a0: tensor<1x4x4x3xi8>) -> tensor<1x8x8x3xi8> {
  %s = tosa.const_shape {values = dense<[4,2,4,2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[-1,-1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1,1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %a0, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x3xi8>
  return %r : tensor<1x8x8x3xi8>
}
