// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/"655360"/"640"/' %luna_machines/venus.xml > %t/small.xml
//
// The mode taken is recorded on demand.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-choose-transfers{machine=%t/small.xml mode=ping-pong record-mode=true}))' | FileCheck %s --check-prefix=RECORD
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-choose-transfers{machine=%t/small.xml mode=ping-pong}))' -o %t/plain.mlir
// RUN: not grep "luna.dma = " %t/plain.mlir
// RECORD: func.func @none()
// RECORD-SAME: luna.dma = "ping-pong"
// RECORD: func.func @two_tables
// RECORD-SAME: luna.dma = "ping-pong"

memref.global "private" constant @params0 : memref<256xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @params1 : memref<256xi8, #luna.memory<psram>> = dense<2>

func.func @none() {
  return
}

func.func @two_tables(%in: memref<16xi8, #luna.memory<psram>>) {
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
