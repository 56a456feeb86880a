// A sigmoid that repeats along a larger tensor: whichever of their extents are
// equal or 1 is open.
func.func @main(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %s = tosa.sigmoid %a : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = tosa.add %s, %b : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
