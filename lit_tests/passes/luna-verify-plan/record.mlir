// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=wanted}))' -o %t 2>&1 | FileCheck %s --check-prefix=WANTED
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan))' -o %t 2>&1 | count 0

// WANTED: record.mlir:[[#@LINE+1]]:1: warning: there is no luna.program to compare with: memory safety alone is checked
func.func @unrecorded(%x: memref<4xi8, #luna.memory<psram>>) {
  return
}
