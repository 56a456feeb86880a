// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-record-program,func.func(luna-order{steps=0},luna-schedule,luna-form-regions,luna-insert-dma,luna-plan-memory,luna-verify-plan{record=required}))' -o /dev/null

// A nested branch recomputes the value in all of its regions, and the value is
// read behind it: what it recomputes may not land where the value is.
// CHECK-LABEL: @main
func.func @main(%x: memref<16x16xi8>, %f: i1, %g: i1, %h: i1, %out: memref<16x16xi8>, %out2: memref<16x16xi8>) {
  %a = memref.alloc() : memref<16x16xi8>
  linalg.transpose ins(%x : memref<16x16xi8>) outs(%a : memref<16x16xi8>) permutation = [1, 0]
  // CHECK: %[[R:.*]]:2 = scf.if
  %r0 = scf.if %f -> memref<16x16xi8> {
    %y = memref.alloc() : memref<16x16xi8>
    linalg.transpose ins(%a : memref<16x16xi8>) outs(%y : memref<16x16xi8>) permutation = [1, 0]
    scf.yield %y : memref<16x16xi8>
  } else {
    scf.yield %a : memref<16x16xi8>
  }
  %r1 = scf.if %g -> memref<16x16xi8> {
    %in = scf.if %h -> memref<16x16xi8> {
      %y1 = memref.alloc() : memref<16x16xi8>
      linalg.transpose ins(%r0 : memref<16x16xi8>) outs(%y1 : memref<16x16xi8>) permutation = [1, 0]
      scf.yield %y1 : memref<16x16xi8>
    } else {
      %y2 = memref.alloc() : memref<16x16xi8>
      linalg.add ins(%r0, %r0 : memref<16x16xi8>, memref<16x16xi8>) outs(%y2 : memref<16x16xi8>)
      scf.yield %y2 : memref<16x16xi8>
    }
    // CHECK: ins(%[[R]]#0 {{.*}} outs(%[[R]]#1
    // CHECK: linalg.add ins(%[[R]]#0, %[[R]]#0 {{.*}} outs(%[[R]]#1
    // The place of the chain still holds the value here.
    // CHECK: linalg.transpose ins(%[[R]]#0 {{.*}} outs(%arg5
    linalg.transpose ins(%r0 : memref<16x16xi8>) outs(%out2 : memref<16x16xi8>) permutation = [1, 0]
    // CHECK: scf.yield %[[R]]#1, %[[R]]#0
    scf.yield %in : memref<16x16xi8>
  } else {
    scf.yield %r0 : memref<16x16xi8>
  }
  %r2 = scf.if %f -> memref<16x16xi8> {
    %y = memref.alloc() : memref<16x16xi8>
    linalg.transpose ins(%r1 : memref<16x16xi8>) outs(%y : memref<16x16xi8>) permutation = [1, 0]
    scf.yield %y : memref<16x16xi8>
  } else {
    scf.yield %r1 : memref<16x16xi8>
  }
  linalg.transpose ins(%r2 : memref<16x16xi8>) outs(%out : memref<16x16xi8>) permutation = [1, 0]
  return
}
