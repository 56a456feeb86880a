// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(luna-propagate-shapes{report=true})'

// Two subgraphs are constant: a value of another state lies between.
// expected-remark @below {{14 updates of at most 28; operators: 2 constant, 2 mixed, 1 unknown; subgraphs: 2 constant, 1 mixed, 1 unknown}}
func.func @main(%x: tensor<?x8xf32>, %w: tensor<4x8xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<*xf32>) {
  %0 = tosa.exp %w : (tensor<4x8xf32>) -> tensor<*xf32>
  %1 = tosa.concat %x, %0 {axis = 0 : i32} : (tensor<?x8xf32>, tensor<*xf32>) -> tensor<?x?xf32>
  %2 = tosa.abs %1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = tosa.custom %2 {operator_name = "op", domain_name = "d", implementation_attrs = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = tosa.reduce_sum %w {axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<*xf32>
  return %2, %3, %4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<*xf32>
}

// -----

// Nothing is open: nothing is said.
func.func @static(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
