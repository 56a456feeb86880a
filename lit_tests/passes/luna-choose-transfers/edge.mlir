// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/"655360"/"320"/' %luna_machines/venus.xml > %t/small.xml
//
// What an attempt that does not fit has done is undone: the result is that of
// the one that fits, run alone. Each function has its own.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-choose-transfers{machine=%t/small.xml}))' -o %t/chosen.mlir 2> %t/err.txt
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{machine=%t/small.xml mode=auto budget-bytes=315},luna-order{steps=0 machine=%t/small.xml},luna-plan-memory{machine=%t/small.xml}))' -o %t/sync.mlir
// RUN: cmp %t/chosen.mlir %t/sync.mlir
// RUN: FileCheck %s --check-prefix=ONCE --input-file=%t/err.txt
// ONCE-NOT: error
// ONCE: edge.mlir:[[# @LINE + 13]]:1: warning: 1 of 3 transfers wait for memory; 528 bytes of shared memory would do, machine 'venus' has 320
// ONCE-NOT: warning
//
// The mode taken is recorded on demand only (options.mlir).
// RUN: not grep "luna.dma = " %t/chosen.mlir

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
