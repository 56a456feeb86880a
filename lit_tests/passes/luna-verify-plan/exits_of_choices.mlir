// RUN: lunac run %s --random-input=1 --check | FileCheck %s

// A condition chooses what a loop begins with, and whether it begins: the loop
// carries one value where it holds, the other leaves it as it was. The plan
// keeps it in a buffer that the loop writes; the program passes it on.
// CHECK: 0 hazards; {{[0-9]+}} runs equal the upstream CPU path bit for bit
func.func @main(%c: tensor<i1>, %x: tensor<36xi8>) -> tensor<36xi8> {
  %go = tensor.extract %c[] : tensor<i1>
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = "tosa.const"() <{values = dense<7> : tensor<36xi8>}> : () -> tensor<36xi8>
  %y = scf.if %go -> (tensor<36xi8>) {
    scf.yield %k : tensor<36xi8>
  } else {
    scf.yield %x : tensor<36xi8>
  }
  %r:2 = scf.while (%i = %c0, %d = %go, %v = %y) : (index, i1, tensor<36xi8>) -> (index, tensor<36xi8>) {
    %less = arith.cmpi slt, %i, %c1 : index
    %both = arith.andi %less, %d : i1
    scf.condition(%both) %i, %v : index, tensor<36xi8>
  } do {
  ^bb0(%i: index, %v: tensor<36xi8>):
    %n = arith.addi %i, %c1 : index
    scf.yield %n, %false, %k : index, i1, tensor<36xi8>
  }
  return %r#1 : tensor<36xi8>
}
