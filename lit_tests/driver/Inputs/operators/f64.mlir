func.func @main(%a0: tensor<4xf64>) -> tensor<4xf64> {
  %r = arith.mulf %a0, %a0 : tensor<4xf64>
  return %r : tensor<4xf64>
}
