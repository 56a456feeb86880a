// A loop whose condition never fails is broken off at the limit of cycles; no
// output is written, and the CPU path, which would not end either, is not run.
// RUN: rm -rf %t.out
// RUN: %source/lit_tests/driver/Inputs/exit-code 3 lunac run %s --random-input=1 --max-cycles=1000000 --check --output=%t.out 2>&1 | FileCheck %s
// CHECK: hazard: {{.*}}endless loop: {{.*}}loop0 still runs after 1000000 cycles, the run's limit
// RUN: not ls %t.out
func.func @main(%x: tensor<16xi8>) -> tensor<16xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %zero, %a = %x) : (tensor<i32>, tensor<16xi8>) -> (tensor<i32>, tensor<16xi8>) {
    %c = tosa.greater %one, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<16xi8>):
    %j = tosa.maximum %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = tosa.add %a, %x : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi8>
    tosa.yield %j, %b : tensor<i32>, tensor<16xi8>
  }
  return %r#1 : tensor<16xi8>
}
