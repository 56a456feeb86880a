// What a turn of an scf.while passes on from outside is not what the next turn
// writes to: the value outside is read again.

// RUN: lunac run %s --random-input=3 --check | FileCheck %s
// CHECK: 0 hazards; 1 runs equal the upstream CPU path bit for bit
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %k = arith.constant dense<[77.0]> : tensor<1xf32>
  %t = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %t2 = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %z = tosa.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %r:3 = scf.while (%a = %z, %s = %x, %i = %c0) : (tensor<4xf32>, tensor<4xf32>, i32) -> (tensor<4xf32>, tensor<4xf32>, i32) {
    %p = arith.cmpi slt, %i, %c3 : i32
    %ix = arith.index_cast %i : i32 to index
    %b = tensor.insert_slice %k into %a[%ix] [1] [1] : tensor<1xf32> into tensor<4xf32>
    %u = tosa.add %b, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.condition(%p) %b, %u, %i : tensor<4xf32>, tensor<4xf32>, i32
  } do {
  ^bb0(%a: tensor<4xf32>, %s: tensor<4xf32>, %i: i32):
    %j = arith.addi %i, %c1 : i32
    scf.yield %t, %s, %j : tensor<4xf32>, tensor<4xf32>, i32
  }
  return %t, %t2, %r#1, %r#0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
