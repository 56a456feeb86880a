// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-order))'
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{machine=pluto}))' 2>&1 | FileCheck %s
// CHECK: error: {{.*}}pluto
func.func @main() {
  return
}

// -----

// expected-error @below {{unstructured control flow; lift it with lift-cf-to-scf first}}
func.func @blocks() {
  cf.br ^next
^next:
  return
}
