// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory,luna-estimate-cost))' | FileCheck %s

func.func @main(%c: i1, %x: memref<64xi8>, %y: memref<64xi8>) {
  scf.if %c {
    memref.copy %x, %y : memref<64xi8> to memref<64xi8>
  }
  return
}

// CHECK: luna.cost = {at_most = {{[0-9]+}} : i64, paths = [{bound = [[N:[0-9]+]] : i64, compute = {{[0-9]+}} : i64, cycles = [[N]] : i64
// CHECK-SAME: path = "if0=then"
// CHECK-SAME: cycles = 21 : i64, dma = 0 : i64, dma_bytes = 0 : i64, host = 21 : i64
// CHECK-SAME: path = "if0=else"
