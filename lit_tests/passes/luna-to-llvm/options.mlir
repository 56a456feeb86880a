// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm{model=2nd-try})' | FileCheck %s
// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm{machine=pluto})' 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm{kernel-sizes=some})' 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm{index-bits=16})' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm{index-bits=32})' | FileCheck %s --check-prefix=NARROW

// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm{block-bytes=-1})' 2>&1 | FileCheck %s --check-prefix=BLOCK

// BLOCK: error: block-bytes is -1, needs at least 0
// BITS: error: index-bits is 16, needs 32 or 64
// NARROW: module attributes {{.*}}dlti.dl_spec = #dlti.dl_spec<index = 32

// The model's name becomes a C identifier.
// CHECK: llvm.mlir.global external constant @luna_model_m2nd_try_program
// CHECK: func.func @luna_model_m2nd_try(
// SIZES: error: kernel-sizes is 'some', needs auto, constant or argument
// MACHINE: error: unknown machine 'pluto'
func.func @main(%arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}
