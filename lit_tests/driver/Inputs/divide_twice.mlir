// Two quotients that share a function; the second has a divisor of its own.
func.func @main(%n: tensor<4xi32>, %d: tensor<4xi32>, %e: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.intdiv %n, %d : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc("first")
  %1 = tosa.reverse %0 {axis = 0 : i32} : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.intdiv %1, %e : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc("second")
  return %2 : tensor<4xi32>
}
