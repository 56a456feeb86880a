func.func @main(%x: tensor<1x4xf32> {luna.name = "x"}) -> (tensor<?x4xf32> {luna.name = "rows"}) {
  %zero = arith.constant 0 : index
  %limit = arith.constant 7 : index
  %start = tensor.cast %x : tensor<1x4xf32> to tensor<?x4xf32>
  %r = scf.while (%t = %start) : (tensor<?x4xf32>) -> tensor<?x4xf32> {
    %size = tensor.dim %t, %zero : tensor<?x4xf32>
    %go = arith.cmpi slt, %size, %limit : index
    scf.condition(%go) %t : tensor<?x4xf32>
  } do {
  ^bb0(%t: tensor<?x4xf32>):
    %n = tosa.concat %t, %x {axis = 0 : i32} : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
    scf.yield %n : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
