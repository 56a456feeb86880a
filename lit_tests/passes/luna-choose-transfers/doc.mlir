// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/"655360"/"320"/' %luna_machines/venus.xml > %t/small.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-choose-transfers{machine=%t/small.xml}))' 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t.err

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

// Of 320 bytes the input takes 16: one table at a time fits, two do not.
// WARN: warning: 1 of 3 transfers wait for memory; 528 bytes of shared memory would do, machine 'venus' has 320
// CHECK-LABEL: func.func @main
// CHECK-SAME: luna.plan = {{.*}}staging_bytes = 256
// CHECK: %[[STAGING:.*]] = memref.alloc() {{.*}}kind = staging
// CHECK: %[[T0:.*]] = luna.dma_start %{{.*}} to %[[STAGING]]
// CHECK: luna.dma_wait %[[T0]]
// CHECK: luna.table
