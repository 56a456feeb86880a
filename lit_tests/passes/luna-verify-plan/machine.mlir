// What works in place on one machine is a fault on another.
// RUN: sed 's|in_place\(.*\)="true"|in_place\1="false"|' %luna_machines/venus.xml > %t.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan{machine=%t.xml}))' --verify-diagnostics
// Whole models on such a machine, simulated.
// RUN: lunac run %S/../../../examples/noise_reduction.mlir --machine=%t.xml --random-input=1 --check | FileCheck %s --check-prefix=RESULT
// RESULT: 0 hazards; {{.*}} equal the upstream CPU path bit for bit

#s = #luna.memory<shared>
// CHECK: luna.add
func.func @in_place(%v: i8) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  // expected-error @+1 {{uses buffer 0 and buffer 0 at once, which overlap}}
  luna.add ins(%a, %a : memref<64xi8, #s>, memref<64xi8, #s>) outs(%a : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
  return
}
