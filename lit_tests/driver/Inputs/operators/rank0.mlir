func.func @main(%a0: tensor<i32>) -> tensor<i32> {
  %r = tosa.add %a0, %a0 : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
