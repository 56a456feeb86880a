// The second branch yields values from before it: upstream makes it a select,
// which the compiled program merges with the first branch.
func.func @main(%x: tensor<1x8xi8>, %flag: tensor<i1>) -> tensor<1x8xi8> {
  %condition = tensor.extract %flag[] : tensor<i1>
  %first = scf.if %condition -> tensor<1x8xi8> {
    %0 = tosa.clamp %x {min_val = 0 : i8, max_val = 100 : i8} : (tensor<1x8xi8>) -> tensor<1x8xi8>
    scf.yield %0 : tensor<1x8xi8>
  } else {
    scf.yield %x : tensor<1x8xi8>
  }
  %reversed = tosa.reverse %x {axis = 1 : i32} : (tensor<1x8xi8>) -> tensor<1x8xi8>
  %second:2 = scf.if %condition -> (tensor<1x8xi8>, tensor<1x8xi8>) {
    %1 = tosa.clamp %reversed {min_val = 3 : i8, max_val = 100 : i8} : (tensor<1x8xi8>) -> tensor<1x8xi8>
    scf.yield %1, %first : tensor<1x8xi8>, tensor<1x8xi8>
  } else {
    scf.yield %reversed, %x : tensor<1x8xi8>, tensor<1x8xi8>
  }
  return %second#1 : tensor<1x8xi8>
}
