// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{mode=sync}))' | FileCheck %s --check-prefix=SYNC
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{mode=ping-pong machine=arcs}))' | FileCheck %s --check-prefix=PINGPONG
memref.global "private" constant @params0 : memref<256xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @params1 : memref<256xi8, #luna.memory<psram>> = dense<2>

func.func @main(%x: memref<16xi8, #luna.memory<shared>>) {
  luna.region 0 {
    %c0 = arith.constant 0 : index
    %p = memref.get_global @params0 : memref<256xi8, #luna.memory<psram>>
    %v = memref.view %p[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %v : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
        outs(%x : memref<16xi8, #luna.memory<shared>>) {params = @params0}
    %q = memref.get_global @params1 : memref<256xi8, #luna.memory<psram>>
    %w = memref.view %q[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %w : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
        outs(%x : memref<16xi8, #luna.memory<shared>>) {params = @params1}
    luna.yield
  }
  return
}


// Each table waits for itself, or the second comes in while the first computes.
// SYNC: luna.dma_start
// SYNC-NEXT: luna.dma_wait
// SYNC: luna.table
// SYNC: luna.dma_start
// SYNC-NEXT: luna.dma_wait
// SYNC: luna.table
// PINGPONG: luna.dma_start
// PINGPONG: luna.dma_wait
// PINGPONG: luna.dma_start
// PINGPONG: luna.table
// PINGPONG: luna.dma_wait
// PINGPONG: luna.table
