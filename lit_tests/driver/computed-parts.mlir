// A part at a computed place of what control flow merged, where the program reads
// one of several memrefs and the plan one buffer.

// RUN: lunac run %s --random-input=3 --cases=2 --check | FileCheck %s
// CHECK: 0 hazards; {{[0-9]+}} runs equal the upstream CPU path bit for bit
func.func @main(%x: tensor<2x8xf32>, %q: tensor<4xi32>, %c: tensor<i1>) -> (tensor<2x3xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %z = arith.constant 0 : index
  %five = arith.constant 5 : index
  %k = arith.constant dense<-74.0> : tensor<2x8xf32>
  %qq = tensor.extract %q[%z] : tensor<4xi32>
  %at0 = arith.index_cast %qq : i32 to index
  %at = arith.remui %at0, %five : index
  %cc = tensor.extract %c[] : tensor<i1>
  %m = scf.if %cc -> tensor<2x8xf32> {
  %r:3 = scf.while (%a = %x, %i = %c0) : (tensor<2x8xf32>, i32) -> (tensor<2x8xf32>, tensor<2x8xf32>, i32) {
    %p = arith.cmpi slt, %i, %c2 : i32
    %pp = arith.andi %p, %cc : i1
    scf.condition(%pp) %a, %k, %i : tensor<2x8xf32>, tensor<2x8xf32>, i32
  } do {
  ^bb0(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %i: i32):
    %j = arith.addi %i, %c1 : i32
    scf.yield %b, %j : tensor<2x8xf32>, i32
  }
  scf.yield %r#0 : tensor<2x8xf32>
  } else {
  scf.yield %x : tensor<2x8xf32>
  }
  %s = tensor.extract_slice %m[0, %at] [2, 3] [1, 1] : tensor<2x8xf32> to tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}
