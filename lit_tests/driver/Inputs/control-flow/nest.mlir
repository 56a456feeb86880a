func.func @main(%x: tensor<16xf32>, %f: tensor<1xi1>, %g: tensor<1xi1>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %cf = tensor.extract %f[%c0] : tensor<1xi1>
  %cg = tensor.extract %g[%c0] : tensor<1xi1>
  %r = scf.if %cf -> tensor<16xf32> {
    %q = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<16xf32>) {
      %p = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> (tensor<16xf32>) {
        %t = tosa.sigmoid %b : (tensor<16xf32>) -> tensor<16xf32>
        scf.yield %t : tensor<16xf32>
      }
      %s = scf.if %cg -> tensor<16xf32> {
        %t = tosa.tanh %p : (tensor<16xf32>) -> tensor<16xf32>
        scf.yield %t : tensor<16xf32>
      } else { scf.yield %x : tensor<16xf32> }
      scf.yield %s : tensor<16xf32>
    }
    scf.yield %q : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
