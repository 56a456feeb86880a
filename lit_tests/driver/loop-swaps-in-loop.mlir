// A loop in a loop that exchanges buffers: what the checker found of the inner
// one while it took the buffers to stay is not kept.
// RUN: lunac run %s --check --random-input=3 | FileCheck %s
// CHECK: 0 hazards; 1 runs equal the upstream CPU path bit for bit

!t = tensor<1x4x4x3xi8>
func.func @main(%p: !t, %q: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %k = "tosa.const"() <{values = dense<7> : tensor<256xi8>}> : () -> tensor<256xi8>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %p) -> (!t) {
    %v = tosa.table %q, %k : (!t, tensor<256xi8>) -> !t
    %w:4 = scf.while (%a = %x, %b = %p, %c = %v, %n = %zero) : (!t, !t, !t, i32) -> (!t, !t, !t, i32) {
      %goes_on = arith.cmpi slt, %n, %one : i32
      scf.condition(%goes_on) %a, %b, %c, %n : !t, !t, !t, i32
    } do {
    ^bb0(%a: !t, %b: !t, %c: !t, %n: i32):
      %u = tosa.table %b, %k : (!t, tensor<256xi8>) -> !t
      %next = arith.addi %n, %one : i32
      scf.yield %a, %a, %u, %next : !t, !t, !t, i32
    }
    scf.yield %w#2 : !t
  }
  return %r : !t
}
