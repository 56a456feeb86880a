func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> { return %x : tensor<4xi8> }
func.func @g(%x: tensor<4xi8>) -> tensor<4xi8> { return %x : tensor<4xi8> }
