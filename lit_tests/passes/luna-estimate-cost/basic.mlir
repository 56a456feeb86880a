// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-insert-dma,luna-order{steps=0},luna-plan-memory,luna-estimate-cost))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-insert-dma{mode=sync},luna-order{steps=0},luna-plan-memory,luna-estimate-cost))' | FileCheck %s --check-prefix=SYNC

memref.global "private" constant @params0 : memref<4096xi8, #luna.memory<psram>> = dense<1>

// A branch with two operators with weights of 4096 bytes (4612 cycles each by
// the measured table), and an empty one. Synchronous, both transfers stall;
// ping-pong hides the second behind the first operator, as far as that goes. The
// empty one has what entering the program takes.

// CHECK: luna.cost = {at_most = {{[0-9]+}} : i64, paths = [
// CHECK-SAME: dma = 9224 : i64, dma_bytes = 8192 : i64
// CHECK-SAME: path = "if0=then", stall = [[STALL:[0-9]+]] : i64, transfers = 2 : i64
// CHECK-SAME: cycles = 14 : i64
// CHECK-SAME: path = "if0=else", stall = 0 : i64, transfers = 0 : i64
// SYNC: luna.cost = {at_most = {{[0-9]+}} : i64, paths = [
// SYNC-SAME: path = "if0=then", stall = 9224 : i64, transfers = 2 : i64
// SYNC-SAME: path = "if0=else", stall = 0 : i64
func.func @two(%c: i1, %x: memref<1x1x1024xi8, #luna.memory<shared>>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %p = memref.get_global @params0 : memref<4096xi8, #luna.memory<psram>>
    %v = memref.view %p[%c0][] : memref<4096xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %v : memref<1x1x1024xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<1x1x1024xi8, #luna.memory<shared>>) {params = @params0}
    %q = memref.get_global @params0 : memref<4096xi8, #luna.memory<psram>>
    %w = memref.view %q[%c0][] : memref<4096xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %w : memref<1x1x1024xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<1x1x1024xi8, #luna.memory<shared>>) {params = @params0}
  }
  return
}
