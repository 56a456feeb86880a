// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-plan-memory))'

// What other passes prepare is demanded.

// expected-error @below {{has no luna.bound; run luna-order first}}
func.func @unbounded() {
  return
}

// -----

func.func @unnamed(%c: i1) {
  // expected-error @below {{has no luna.label; run luna-form-regions first}}
  scf.if %c {
  }
  return
}
