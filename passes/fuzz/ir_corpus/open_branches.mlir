func.func @main(%c: tensor<i1>, %x: tensor<?x8xf32>) -> tensor<*xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  %r = tosa.cond_if %c (%a = %x) : tensor<i1> (tensor<?x8xf32>) -> tensor<?x?xf32> {
  ^bb0(%a: tensor<?x8xf32>):
    %e = tensor.empty(%rows) : tensor<?x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %g = tensor.cast %f : tensor<?x8xf32> to tensor<?x?xf32>
    tosa.yield %g : tensor<?x?xf32>
  } else {
  ^bb0(%a: tensor<?x8xf32>):
    %m = tosa.abs %a : (tensor<?x8xf32>) -> tensor<?x?xf32>
    tosa.yield %m : tensor<?x?xf32>
  }
  %s = tosa.concat %r, %x {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<*xf32>
  return %s : tensor<*xf32>
}
