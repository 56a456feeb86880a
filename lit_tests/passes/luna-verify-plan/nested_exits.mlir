// RUN: lunac compile %s --merge=linear --dma=sync --emit=luna | FileCheck %s

// An inner loop of one turn at most, in one that goes on while an input holds:
// on each way out of both, the value is the outer loop's first, the second
// input's, or the constant that the inner one ends with. The plan has them in
// two buffers, the program in the order of the turns.
// CHECK: func.func @main
func.func @main(%arg0: tensor<i1>, %arg1: tensor<i1>, %arg2: tensor<i1>, %arg3: tensor<i1>, %arg4: tensor<i1>) -> (tensor<i1>) {
  %c9223372036854775807 = arith.constant 9223372036854775807 : index
  %extracted = tensor.extract %arg3[] : tensor<i1>
  %c0 = arith.constant 0 : index
  %0:3 = scf.while (%arg5 = %c0, %arg6 = %extracted, %arg7 = %arg1, %arg8 = %arg0) : (index, i1, tensor<i1>, tensor<i1>) -> (index, tensor<i1>, tensor<i1>) {
    %1 = arith.cmpi slt, %arg5, %c9223372036854775807 : index
    %2 = arith.andi %1, %arg6 : i1
    scf.condition(%2) %arg5, %arg7, %arg8 : index, tensor<i1>, tensor<i1>
  } do {
  ^bb0(%arg5: index, %arg6: tensor<i1>, %arg7: tensor<i1>):
    %c1 = arith.constant 1 : index
    %1 = "tosa.const"() <{values = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %extracted_0 = tensor.extract %1[] : tensor<i1>
    %c0_1 = arith.constant 0 : index
    %2:2 = scf.while (%arg8 = %c0_1, %arg9 = %extracted_0, %arg10 = %arg6) : (index, i1, tensor<i1>) -> (index, tensor<i1>) {
      %4 = arith.cmpi slt, %arg8, %c1 : index
      %5 = arith.andi %4, %arg9 : i1
      scf.condition(%5) %arg8, %arg10 : index, tensor<i1>
    } do {
    ^bb0(%arg8: index, %arg9: tensor<i1>):
      %c1_4 = arith.constant 1 : index
      %4 = arith.addi %arg8, %c1_4 : index
      %5 = "tosa.const"() <{values = dense<false> : tensor<i1>}> : () -> tensor<i1>
      %extracted_5 = tensor.extract %5[] : tensor<i1>
      %6 = "tosa.const"() <{values = dense<false> : tensor<i1>}> : () -> tensor<i1>
      scf.yield %4, %extracted_5, %6 : index, i1, tensor<i1>
    }
    %c1_2 = arith.constant 1 : index
    %3 = arith.addi %arg5, %c1_2 : index
    %extracted_3 = tensor.extract %arg4[] : tensor<i1>
    scf.yield %3, %extracted_3, %arg2, %2#1 : index, i1, tensor<i1>, tensor<i1>
  }
  return %0#2 : tensor<i1>
}
