// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/"655360"/"640"/' %luna_machines/venus.xml > %t/small.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-choose-transfers{machine=%t/small.xml}))' 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t.err
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-choose-transfers{machine=%t/small.xml mode=sync}))' 2> %t.sync | FileCheck %s --check-prefix=SYNC
// RUN: count 0 < %t.sync

// Each version of a model has the loads that fit early: of 640 bytes, 512 are
// those of both tables, of which the larger version has no room for one ahead.

memref.global "private" constant @params0 : memref<256xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @params1 : memref<256xi8, #luna.memory<psram>> = dense<2>

// WARN-NOT: warning
// WARN: warning: 1 of {{[0-9]+}} transfers wait for memory; 704 bytes of shared memory would do, machine 'venus' has 640
// WARN-NOT: warning
// CHECK-LABEL: func.func @main
// CHECK-SAME: luna.arena_bytes = 528
// CHECK-SAME: cases = [{name = "shape=16", tensor_bytes = 16 : i64, total_bytes = 528 : i64}, {name = "shape=192", tensor_bytes = 192 : i64, total_bytes = 448 : i64}]
// CHECK: luna.label "shape" = "16"
// CHECK: luna.dma_start %{{.*}} to %[[A:.*]] : memref<256xi8
// CHECK: luna.dma_start %{{.*}} to %[[B:.*]] : memref<256xi8
// CHECK: luna.table
// CHECK: luna.label "shape" = "192"
// CHECK: %[[T0:.*]] = luna.dma_start %{{.*}} to %[[STAGING:.*]] : memref<256xi8
// CHECK: luna.dma_wait %[[T0]]
// CHECK: luna.table
// CHECK: luna.dma_start {{.*}} : memref<256xi8
// CHECK-NEXT: luna.dma_wait
// SYNC-LABEL: func.func @main
// SYNC-SAME: total_bytes = 272 : i64}, {name = "shape=192"
func.func @main(%n: memref<1xi32, #luna.memory<psram>> {luna.cases = array<i32: 0, 1>}, %in: memref<192xi8, #luna.memory<psram>> {luna.shapes = [array<i64: 16>, array<i64: 192>]}) {
  %c0 = arith.constant 0 : index
  %i = luna.region 0 -> index {
    %l = memref.load %n[%c0] : memref<1xi32, #luna.memory<psram>>
    %j = arith.index_cast %l : i32 to index
    luna.yield %j : index
  }
  scf.index_switch %i
  case 0 {
    luna.label "shape" = "16"
    luna.region 1 {
      %x = memref.alloc() : memref<16xi8, #luna.memory<shared>>
      %part = memref.subview %in[0] [16] [1] : memref<192xi8, #luna.memory<psram>> to memref<16xi8, strided<[1]>, #luna.memory<psram>>
      memref.copy %part, %x : memref<16xi8, strided<[1]>, #luna.memory<psram>> to memref<16xi8, #luna.memory<shared>>
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
    scf.yield
  }
  default {
    luna.label "shape" = "192"
    luna.region 2 {
      %x = memref.alloc() : memref<192xi8, #luna.memory<shared>>
      memref.copy %in, %x : memref<192xi8, #luna.memory<psram>> to memref<192xi8, #luna.memory<shared>>
      %p = memref.get_global @params0 : memref<256xi8, #luna.memory<psram>>
      %v = memref.view %p[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
      luna.table ins(%x, %v : memref<192xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
          outs(%x : memref<192xi8, #luna.memory<shared>>) {params = @params0}
      %q = memref.get_global @params1 : memref<256xi8, #luna.memory<psram>>
      %w = memref.view %q[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
      luna.table ins(%x, %w : memref<192xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
          outs(%x : memref<192xi8, #luna.memory<shared>>) {params = @params1}
      luna.yield
    }
  }
  return
}
