// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-specialize)' | diff - %t.before

// A model without versions.
func.func private @outside(tensor<4xi8>)
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = tosa.abs %x : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
