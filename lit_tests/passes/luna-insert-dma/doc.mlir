// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma))' | FileCheck %s

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

// The second table comes in while the first operator computes.
// CHECK: %[[EVEN:.*]] = memref.alloc() {luna.kind = "staging"} : memref<256xi8, #luna.memory<shared>>
// CHECK: %[[ODD:.*]] = memref.alloc() {luna.kind = "staging"} : memref<256xi8, #luna.memory<shared>>
// CHECK: %[[T0:.*]] = luna.dma_start %{{.*}} to %[[EVEN]]
// CHECK: luna.dma_wait %[[T0]]
// CHECK: %[[T1:.*]] = luna.dma_start %{{.*}} to %[[ODD]]
// CHECK: luna.table
// CHECK: luna.dma_wait %[[T1]]
// CHECK: luna.table
