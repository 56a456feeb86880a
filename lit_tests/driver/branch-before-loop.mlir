// A branch leaves its result in one of two buffers, which a loop then changes in
// place: the checker follows both buffers around the loop, each where the branch
// chose it.
// RUN: lunac run %s --random-input=1 --cases=3 --check | FileCheck %s
// What the loop carries is a copy of planes, which lies as they do.
// RUN: lunac run %s --layout=planar --random-input=1 --cases=3 --check | FileCheck %s
// CHECK: 0 hazards; 9 runs equal the upstream CPU path bit for bit; 2 of 2 paths

func.func @main(%x: tensor<1x3x7x2xf32>, %flag: tensor<1xi1>, %n: tensor<1xi32>) -> (tensor<1x3x7x2xf32>, tensor<1x3x7x2xf32>, tensor<1x3x7x2xf32>) {
  %at = arith.constant 0 : index
  %c = tensor.extract %flag[%at] : tensor<1xi1>
  %y = tosa.add %x, %x : (tensor<1x3x7x2xf32>, tensor<1x3x7x2xf32>) -> tensor<1x3x7x2xf32>
  %r = scf.if %c -> tensor<1x3x7x2xf32> {
    %a = tosa.clamp %y {max_val = 6.0 : f32, min_val = 0.0 : f32} : (tensor<1x3x7x2xf32>) -> tensor<1x3x7x2xf32>
    scf.yield %a : tensor<1x3x7x2xf32>
  } else {
    %b = tosa.clamp %y {max_val = 9.0 : f32, min_val = 0.0 : f32} : (tensor<1x3x7x2xf32>) -> tensor<1x3x7x2xf32>
    scf.yield %b : tensor<1x3x7x2xf32>
  }
  %l:2 = scf.while (%i = %n, %v = %r) : (tensor<1xi32>, tensor<1x3x7x2xf32>) -> (tensor<1xi32>, tensor<1x3x7x2xf32>) {
    %three = "tosa.const"() <{values = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %g = tosa.greater %three, %i : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %o = tensor.extract %g[%at] : tensor<1xi1>
    scf.condition(%o) %i, %v : tensor<1xi32>, tensor<1x3x7x2xf32>
  } do {
  ^bb0(%i: tensor<1xi32>, %v: tensor<1x3x7x2xf32>):
    %one = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %j = tosa.add %i, %one : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %w = tosa.add %v, %v : (tensor<1x3x7x2xf32>, tensor<1x3x7x2xf32>) -> tensor<1x3x7x2xf32>
    scf.yield %j, %w : tensor<1xi32>, tensor<1x3x7x2xf32>
  }
  %k = "tosa.const"() <{values = dense<-3.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %m = tosa.maximum %x, %k : (tensor<1x3x7x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x7x2xf32>
  %q = tosa.clamp %m {max_val = 1.0 : f32, min_val = -1.0 : f32} : (tensor<1x3x7x2xf32>) -> tensor<1x3x7x2xf32>
  return %l#1, %m, %q : tensor<1x3x7x2xf32>, tensor<1x3x7x2xf32>, tensor<1x3x7x2xf32>
}
