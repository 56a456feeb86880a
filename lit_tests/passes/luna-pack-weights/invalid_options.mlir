// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{max-bytes=-1})' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{machine=pluto})' 2>&1 | FileCheck %s --check-prefix=MACHINE
// NEGATIVE: error: max-bytes is -1, needs at least 0
// MACHINE: error: {{.*}}pluto
func.func @main() {
  return
}
