// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{machine=pluto}))' 2>&1 | FileCheck %s
// CHECK: error: {{.*}}pluto
func.func @main() {
  return
}
