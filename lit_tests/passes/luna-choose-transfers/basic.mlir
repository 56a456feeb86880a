// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-choose-transfers))' 2> %t.err | FileCheck %s
// RUN: count 0 < %t.err

// Both staging buffers fit: the second table is under way while the first
// operator computes.
// CHECK-LABEL: func.func @main
// CHECK-SAME: luna.plan = {{.*}}staging_bytes = 512
// CHECK: %[[ODD:.*]] = memref.alloc() {luna.place = #luna.place<id = {{[0-9]}}, offset = 256, kind = staging
// CHECK: %[[T1:.*]] = luna.dma_start %{{.*}} to %[[ODD]]
// CHECK: luna.table
// CHECK: luna.dma_wait %[[T1]]
// CHECK: luna.table
memref.global "private" constant @params0 : memref<256xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @params1 : memref<256xi8, #luna.memory<psram>> = dense<2>

func.func @main(%in: memref<16xi8, #luna.memory<psram>>) {
  luna.region 0 {
    %x = memref.alloc() : memref<16xi8, #luna.memory<shared>>
    memref.copy %in, %x : memref<16xi8, #luna.memory<psram>> to memref<16xi8, #luna.memory<shared>>
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

// No constants, no staging.
// CHECK-LABEL: func.func @plain
// CHECK-SAME: staging_bytes = 0
// CHECK-NOT: kind = staging
// CHECK: return
func.func @plain(%in: memref<16xi8, #luna.memory<psram>>) {
  luna.region 0 {
    %x = memref.alloc() : memref<16xi8, #luna.memory<shared>>
    memref.copy %in, %x : memref<16xi8, #luna.memory<psram>> to memref<16xi8, #luna.memory<shared>>
    luna.yield
  }
  return
}
