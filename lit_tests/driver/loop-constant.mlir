// A unit operator reads what a loop carries, which starts as a constant: that
// is data, not one of the operator's own constants.

// RUN: printf '\001\002\003\004\005\006\007\010' > %t.x.bin
// RUN: printf '\002\004\006\010\012\014\016\020' > %t.y.bin
// RUN: lunac run %s --input=%t.x.bin --expect=%t.y.bin

func.func @main(%x: tensor<1x2x4xi8>) -> tensor<1x2x4xi8> {
  %start = arith.constant dense<0> : tensor<1x2x4xi8>
  %weight = arith.constant dense<[[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0],
                                   [0, 0, 0, 1]]]> : tensor<1x4x4xi8>
  %bias = arith.constant dense<0> : tensor<4xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%state = %start)
      -> (tensor<1x2x4xi8>) {
    %0 = tensor.empty() : tensor<1x2x4xi8>
    %1 = luna.matmul ins(%state, %weight : tensor<1x2x4xi8>, tensor<1x4x4xi8>)
        bias(%bias : tensor<4xi32>) outs(%0 : tensor<1x2x4xi8>)
        {requant = #luna.requant<mode = shift, shift = 0, clamp_min = -128,
                                 clamp_max = 127>}
        -> tensor<1x2x4xi8>
    %2 = luna.add ins(%1, %x : tensor<1x2x4xi8>, tensor<1x2x4xi8>)
        outs(%0 : tensor<1x2x4xi8>)
        {requant = #luna.requant<mode = shift, shift = 0, clamp_min = -128,
                                 clamp_max = 127>}
        -> tensor<1x2x4xi8>
    scf.yield %2 : tensor<1x2x4xi8>
  }
  return %sum : tensor<1x2x4xi8>
}
