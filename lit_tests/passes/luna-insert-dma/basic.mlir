// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{mode=sync}))' | FileCheck %s --check-prefix=SYNC

memref.global "private" constant @params0 : memref<256xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @params1 : memref<512xi8, #luna.memory<psram>> = dense<2>
memref.global "private" constant @params2 : memref<272xi8, #luna.memory<psram>> = dense<3>

// Ping-pong: wait(i), start(i+1), compute(i); even operators use a buffer as
// large as the largest even blob, odd ones another.
// CHECK-LABEL: func.func @three
// SYNC-LABEL: func.func @three
func.func @three(%x: memref<4xi8, #luna.memory<shared>>, %y: memref<4xi8, #luna.memory<shared>>) {
  // CHECK: luna.region 0
  // CHECK-NEXT: %[[EVEN:.*]] = memref.alloc() {luna.kind = "staging"} : memref<272xi8, #luna.memory<shared>>
  // CHECK-NEXT: %[[ODD:.*]] = memref.alloc() {luna.kind = "staging"} : memref<512xi8, #luna.memory<shared>>
  // CHECK: %[[P0:.*]] = memref.get_global @params0
  // CHECK: %[[FRONT:.*]] = memref.view %[[EVEN]][%{{.*}}][] : memref<272xi8, #luna.memory<shared>> to memref<256xi8, #luna.memory<shared>>
  // CHECK: %[[T0:.*]] = luna.dma_start %[[P0]] to %[[FRONT]]
  // CHECK: luna.dma_wait %[[T0]]
  // CHECK: %[[P1:.*]] = memref.get_global @params1
  // CHECK: %[[T1:.*]] = luna.dma_start %[[P1]] to %[[ODD]]
  // CHECK: %[[V0:.*]] = memref.view %[[EVEN]]
  // CHECK: luna.table ins(%{{.*}}, %[[V0]]
  // CHECK: luna.dma_wait %[[T1]]
  // CHECK: %[[P2:.*]] = memref.get_global @params2
  // CHECK: %[[T2:.*]] = luna.dma_start %[[P2]] to %[[EVEN]]
  // CHECK: %[[V1:.*]] = memref.view %[[ODD]]
  // CHECK: luna.table ins(%{{.*}}, %[[V1]]
  // CHECK: luna.dma_wait %[[T2]]
  // CHECK: %[[V2:.*]] = memref.view %[[EVEN]]
  // CHECK: luna.table ins(%{{.*}}, %[[V2]]
  // CHECK-NOT: luna.dma_start

  // SYNC: luna.region 0
  // SYNC: %[[B0:.*]] = memref.alloc() {luna.kind = "staging"} : memref<256xi8
  // SYNC: %[[T0:.*]] = luna.dma_start %{{.*}} to %[[B0]]
  // SYNC-NEXT: luna.dma_wait %[[T0]]
  // SYNC: luna.table
  // SYNC: %[[B1:.*]] = memref.alloc() {luna.kind = "staging"} : memref<512xi8
  // SYNC: %[[T1:.*]] = luna.dma_start %{{.*}} to %[[B1]]
  // SYNC-NEXT: luna.dma_wait %[[T1]]
  // SYNC: luna.table
  luna.region 0 {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %p0 = memref.get_global @params0 : memref<256xi8, #luna.memory<psram>>
    %v0 = memref.view %p0[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %v0 : memref<4xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%y : memref<4xi8, #luna.memory<shared>>) {params = @params0}
    %p1 = memref.get_global @params1 : memref<512xi8, #luna.memory<psram>>
    %v1 = memref.view %p1[%c0][] : memref<512xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%y, %v1 : memref<4xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<4xi8, #luna.memory<shared>>) {params = @params1}
    %p2 = memref.get_global @params2 : memref<272xi8, #luna.memory<psram>>
    %v2 = memref.view %p2[%c16][] : memref<272xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %v2 : memref<4xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%y : memref<4xi8, #luna.memory<shared>>) {params = @params2}
    luna.yield
  }
  return
}
