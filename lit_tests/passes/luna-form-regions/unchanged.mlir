// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions))' > %t.after
// RUN: diff %t.before %t.after

// Declarations, and functions without a step.
func.func private @declared(memref<4xi8>)

func.func @empty(%x: memref<4xi8>) {
  return
}
