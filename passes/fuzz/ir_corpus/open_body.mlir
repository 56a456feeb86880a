func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<*xf32> {
  %0 = tosa.dim %x {axis = 1 : i32} : (tensor<4x8xf32>) -> !tosa.shape<1>
  %1 = tosa.dim %x {axis = 0 : i32} : (tensor<4x8xf32>) -> !tosa.shape<1>
  %s = tosa.concat_shape %0, %1 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %r = tosa.reshape %x, %s : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  %t = tosa.transpose %r {perms = array<i32: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %t, %c0 : tensor<?x?xf32>
  %h = arith.divui %d, %c2 : index
  %u = tensor.extract_slice %t[0, 0] [%h, 8] [1, 1] : tensor<?x?xf32> to tensor<?x8xf32>
  %v = tensor.extract_slice %y[0, 0] [%h, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  %a = tosa.add %u, %v : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<*xf32>
  %c = tensor.collapse_shape %v [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%h, 8] : tensor<?xf32> into tensor<?x8xf32>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %f = tosa.mul %a, %e, %z : (tensor<*xf32>, tensor<?x8xf32>, tensor<1xi8>) -> tensor<*xf32>
  return %f : tensor<*xf32>
}
