// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-choose-joins{machine=pluto}))' 2>&1 | FileCheck %s
// CHECK: error: {{.*}}pluto
func.func @main() {
  return
}
