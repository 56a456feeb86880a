// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-input))' > %t.after
// RUN: diff %t.before %t.after

// Declarations, memrefs, state, choices of elements and what has no inputs.
func.func private @declared(tensor<?xi8>, i1)

func.func @buffers(%x: memref<4xi8>, %y: memref<4xi8>) {
  memref.copy %x, %y : memref<4xi8> to memref<4xi8>
  return
}

func.func @state(%s: tensor<4xi8> {luna.state = "s"}) -> tensor<4xi8> {
  %0 = tosa.abs %s : (tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

func.func @elements(%s: tensor<4xi8> {luna.state = "s"}, %f: tensor<4xi1> {luna.state = "f"}) -> tensor<4xi8> {
  %0 = arith.select %f, %s, %s : tensor<4xi1>, tensor<4xi8>
  return %0 : tensor<4xi8>
}

func.func @none() -> tensor<2xi32> {
  %0 = "tosa.const"() <{values = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
