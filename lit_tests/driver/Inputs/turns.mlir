// A loop whose turns are an input.
func.func @main(%x: tensor<1x64xi8>, %n: tensor<i32>) -> tensor<1x64xi8> {
  %m = tensor.extract %n[] : tensor<i32>
  %end = arith.index_cast %m : i32 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %end step %one iter_args(%a = %x) -> (tensor<1x64xi8>) {
    %c = tosa.reverse %a {axis = 1 : i32} : (tensor<1x64xi8>) -> tensor<1x64xi8>
    scf.yield %c : tensor<1x64xi8>
  }
  return %r : tensor<1x64xi8>
}
