// A table of 4 values behind a branch, so small that its results are known.
func.func @main(%x: tensor<4xi8>, %flag: tensor<1xi1>) -> tensor<4xi8> {
  %scalar = tosa.const_shape {values = dense<[]> : tensor<0xindex>} : () -> !tosa.shape<0>
  %c = tosa.reshape %flag, %scalar : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r = tosa.cond_if %c : tensor<i1> -> tensor<4xi8> {
    %t = tosa.clamp %x {min_val = 0 : i8, max_val = 100 : i8} : (tensor<4xi8>) -> tensor<4xi8>
    tosa.yield %t : tensor<4xi8>
  } else {
    %e = tosa.clamp %x {min_val = -10 : i8, max_val = 10 : i8} : (tensor<4xi8>) -> tensor<4xi8>
    tosa.yield %e : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
