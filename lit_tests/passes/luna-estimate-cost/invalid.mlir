// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-estimate-cost))'

// expected-error @below {{has no luna.plan; run luna-plan-memory first}}
func.func @unplanned(%x: memref<4xi8>) {
  return
}
