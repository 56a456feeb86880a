// Adds the first element of each call to a count; an output is the input itself.
func.func @main(%x: tensor<?xi8> {luna.name = "x"}, %s: tensor<1xi8> {luna.state = "count", luna.initial = dense<5> : tensor<1xi8>}) -> (tensor<?xi8> {luna.name = "sum"}, tensor<?xi8> {luna.name = "same"}, tensor<1xi8> {luna.state = "count"}) {
  %start = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %first = tosa.slice %x, %start, %one : (tensor<?xi8>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi8>
  %t = tosa.add %s, %first : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
  %y = tosa.add %x, %t : (tensor<?xi8>, tensor<1xi8>) -> tensor<?xi8>
  return %y, %x, %t : tensor<?xi8>, tensor<?xi8>, tensor<1xi8>
}
