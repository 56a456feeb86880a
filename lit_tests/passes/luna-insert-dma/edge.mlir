// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-insert-dma))' | FileCheck %s

// A copy uses the engine: transfers in flight are awaited first. The
// first weights start after the copies before their operator.
memref.global "private" constant @params0 : memref<256xi8, #luna.memory<psram>> = dense<1>
// CHECK-LABEL: func.func @copies_between
// CHECK-SAME: %[[IN:.*]]: memref<16xi8, #luna.memory<psram>>, %[[OUT:.*]]: memref<16xi8, #luna.memory<psram>>, %[[X:.*]]: memref
func.func @copies_between(%in: memref<16xi8, #luna.memory<psram>>, %out: memref<16xi8, #luna.memory<psram>>, %x: memref<16xi8, #luna.memory<shared>>) {
  // CHECK: %[[TIN:.*]] = luna.dma_start %[[IN]] to %[[X]]
  // CHECK-NEXT: luna.dma_wait %[[TIN]]
  // CHECK: %[[T0:.*]] = luna.dma_start
  // CHECK: luna.dma_wait %[[T0]]
  // CHECK: %[[T1:.*]] = luna.dma_start
  // CHECK: luna.table
  // CHECK: luna.dma_wait %[[T1]]
  // CHECK-NEXT: %[[TOUT:.*]] = luna.dma_start %[[X]] to %[[OUT]]
  // CHECK-NEXT: luna.dma_wait %[[TOUT]]
  // CHECK-NOT: luna.dma_wait
  // CHECK: luna.table
  luna.region 0 {
    %c0 = arith.constant 0 : index
    memref.copy %in, %x : memref<16xi8, #luna.memory<psram>> to memref<16xi8, #luna.memory<shared>>
    %p = memref.get_global @params0 : memref<256xi8, #luna.memory<psram>>
    %v = memref.view %p[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %v : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<16xi8, #luna.memory<shared>>) {params = @params0}
    memref.copy %x, %out : memref<16xi8, #luna.memory<shared>> to memref<16xi8, #luna.memory<psram>>
    %q = memref.get_global @params0 : memref<256xi8, #luna.memory<psram>>
    %w = memref.view %q[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %w : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<16xi8, #luna.memory<shared>>) {params = @params0}
    luna.yield
  }
  return
}

// -----

// What the engine cannot move stays with the host core: 3 bytes are no multiple
// of its granule, a column is not contiguous, and four bytes from the second on
// do not start on a granule. Copies on chip are none of it.
// CHECK-LABEL: func.func @not_for_dma
func.func @not_for_dma(%a: memref<3xi8, #luna.memory<psram>>, %x: memref<3xi8, #luna.memory<shared>>, %m: memref<4x4xi8, #luna.memory<psram>>, %r: memref<8xi8, #luna.memory<psram>>, %n: memref<4xi8, #luna.memory<shared>>, %o: memref<4xi8, #luna.memory<shared>>) {
  // CHECK-NOT: luna.dma_start
  // CHECK-COUNT-4: memref.copy
  luna.region 0 {
    memref.copy %a, %x : memref<3xi8, #luna.memory<psram>> to memref<3xi8, #luna.memory<shared>>
    %col = memref.subview %m[0, 1] [4, 1] [1, 1] : memref<4x4xi8, #luna.memory<psram>> to memref<4xi8, strided<[4], offset: 1>, #luna.memory<psram>>
    memref.copy %col, %n : memref<4xi8, strided<[4], offset: 1>, #luna.memory<psram>> to memref<4xi8, #luna.memory<shared>>
    %row = memref.subview %r[1] [4] [1] : memref<8xi8, #luna.memory<psram>> to memref<4xi8, strided<[1], offset: 1>, #luna.memory<psram>>
    memref.copy %row, %n : memref<4xi8, strided<[1], offset: 1>, #luna.memory<psram>> to memref<4xi8, #luna.memory<shared>>
    memref.copy %n, %o : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<shared>>
    luna.yield
  }
  return
}

// -----

// Each region starts anew; one operator alone needs one buffer.
memref.global "private" constant @params0 : memref<256xi8, #luna.memory<psram>> = dense<1>
// CHECK-LABEL: func.func @one_each
func.func @one_each(%x: memref<16xi8, #luna.memory<shared>>) {
  // CHECK: luna.region 0
  // CHECK-COUNT-1: luna.kind = "staging"
  // CHECK: luna.region 1
  // CHECK-COUNT-1: luna.kind = "staging"
  // CHECK-NOT: luna.kind = "staging"
  luna.region 0 {
    %c0 = arith.constant 0 : index
    %p = memref.get_global @params0 : memref<256xi8, #luna.memory<psram>>
    %v = memref.view %p[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %v : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<16xi8, #luna.memory<shared>>) {params = @params0}
    luna.yield
  }
  luna.region 1 {
    %c0 = arith.constant 0 : index
    %p = memref.get_global @params0 : memref<256xi8, #luna.memory<psram>>
    %v = memref.view %p[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %v : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<16xi8, #luna.memory<shared>>) {params = @params0}
    luna.yield
  }
  return
}
