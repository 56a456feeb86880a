// A quotient of two inputs, on a branch.
func.func @main(%n: tensor<i32>, %d: tensor<i32>, %f: tensor<i1>) -> tensor<i32> {
  %b = tensor.extract %f[] : tensor<i1>
  %r = scf.if %b -> (tensor<i32>) {
    %q = tosa.intdiv %n, %d : (tensor<i32>, tensor<i32>) -> tensor<i32>
    scf.yield %q : tensor<i32>
  } else {
    scf.yield %n : tensor<i32>
  }
  return %r : tensor<i32>
}
