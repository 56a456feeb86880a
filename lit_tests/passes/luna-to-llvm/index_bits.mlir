// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm{index-bits=32})' | FileCheck %s

// An index in memory has 64 bits, and so have the others then.
// CHECK-NOT: dlti.dl_spec
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i64
func.func @main(%n: memref<index, #luna.memory<psram>>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  %i = memref.load %n[] : memref<index, #luna.memory<psram>>
  scf.index_switch %i
  case 5 {
    scf.yield
  }
  default {
  }
  return
}
