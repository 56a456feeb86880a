// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-quantize-to-linalg))' > %t.after
// RUN: diff %t.before %t.after

// Other operators, declarations, and dynamic shapes of other operators.
func.func private @declared(tensor<?xi8>) -> tensor<?xf32>

func.func @main(%x: tensor<4xi8>, %y: tensor<?xf32>) -> (tensor<4xi32>, tensor<?xf32>) {
  %0 = tosa.cast %x : (tensor<4xi8>) -> tensor<4xi32>
  %1 = tosa.abs %y : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<4xi32>, tensor<?xf32>
}
