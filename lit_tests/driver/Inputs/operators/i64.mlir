func.func @main(%a0: tensor<4xi64>) -> tensor<4xi64> {
  %r = arith.addi %a0, %a0 : tensor<4xi64>
  return %r : tensor<4xi64>
}
