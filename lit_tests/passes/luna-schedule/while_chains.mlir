// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-record-program,func.func(luna-order{steps=0},luna-schedule,luna-form-regions,luna-insert-dma,luna-plan-memory,luna-verify-plan{record=required}))' | FileCheck %s --check-prefix=PLAN

// The turns of an scf.while pass the value on through blocks that may be
// skipped, and operators between them, in two buffers, which the test passes on.
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: %[[FREE:.*]] = memref.alloc()
// CHECK: scf.while (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[B]]
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy %{{.*}}, %{{.*}} : memref<16x16xi8> to memref<16x16xi8>{{$}}
// CHECK: return
// PLAN: luna.arena_bytes = 512
#p = #luna.memory<psram>
func.func @main(%f0: i1, %f1: i1, %go: memref<i1, #p>, %in: memref<16x16xi8, #p>, %out: memref<16x16xi8, #p>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = memref.alloc() : memref<16x16xi8>
  memref.copy %in, %x : memref<16x16xi8, #p> to memref<16x16xi8>
  %l = scf.while (%q = %x) : (memref<16x16xi8>) -> memref<16x16xi8> {
    %g = memref.load %go[] : memref<i1, #p>
    scf.condition(%g) %q : memref<16x16xi8>
  } do {
  ^bb0(%a: memref<16x16xi8>):
    %r0 = scf.if %f0 -> (memref<16x16xi8>) {
      %y0 = memref.alloc() : memref<16x16xi8>
      linalg.transpose ins(%a : memref<16x16xi8>) outs(%y0 : memref<16x16xi8>) permutation = [1, 0]
      scf.yield %y0 : memref<16x16xi8>
    } else {
      scf.yield %a : memref<16x16xi8>
    }
    %o0 = memref.alloc() : memref<16x16xi8>
    linalg.transpose ins(%r0 : memref<16x16xi8>) outs(%o0 : memref<16x16xi8>) permutation = [1, 0]
    %r1 = scf.if %f1 -> (memref<16x16xi8>) {
      %y1 = memref.alloc() : memref<16x16xi8>
      linalg.transpose ins(%o0 : memref<16x16xi8>) outs(%y1 : memref<16x16xi8>) permutation = [1, 0]
      scf.yield %y1 : memref<16x16xi8>
    } else {
      scf.yield %o0 : memref<16x16xi8>
    }
    %o1 = memref.alloc() : memref<16x16xi8>
    linalg.transpose ins(%r1 : memref<16x16xi8>) outs(%o1 : memref<16x16xi8>) permutation = [1, 0]
    scf.yield %o1 : memref<16x16xi8>
  }
  memref.copy %l, %out : memref<16x16xi8> to memref<16x16xi8, #p>
  return
}

// So may the test read it.
// CHECK-LABEL: @tested
// CHECK: scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: memref.load %[[A]]
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[B]]
// PLAN-LABEL: @tested
// PLAN-SAME: luna.arena_bytes = 512
func.func @tested(%f0: i1, %f1: i1, %go: memref<i1, #p>, %in: memref<16x16xi8, #p>, %out: memref<16x16xi8, #p>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = memref.alloc() : memref<16x16xi8>
  memref.copy %in, %x : memref<16x16xi8, #p> to memref<16x16xi8>
  %l = scf.while (%q = %x) : (memref<16x16xi8>) -> memref<16x16xi8> {
    %e = memref.load %q[%c0, %c1] : memref<16x16xi8>
    %z = arith.constant 0 : i8
    %g = arith.cmpi slt, %e, %z : i8
    scf.condition(%g) %q : memref<16x16xi8>
  } do {
  ^bb0(%a: memref<16x16xi8>):
    %r0 = scf.if %f0 -> (memref<16x16xi8>) {
      %y0 = memref.alloc() : memref<16x16xi8>
      linalg.transpose ins(%a : memref<16x16xi8>) outs(%y0 : memref<16x16xi8>) permutation = [1, 0]
      scf.yield %y0 : memref<16x16xi8>
    } else {
      scf.yield %a : memref<16x16xi8>
    }
    %o0 = memref.alloc() : memref<16x16xi8>
    linalg.transpose ins(%r0 : memref<16x16xi8>) outs(%o0 : memref<16x16xi8>) permutation = [1, 0]
    %r1 = scf.if %f1 -> (memref<16x16xi8>) {
      %y1 = memref.alloc() : memref<16x16xi8>
      linalg.transpose ins(%o0 : memref<16x16xi8>) outs(%y1 : memref<16x16xi8>) permutation = [1, 0]
      scf.yield %y1 : memref<16x16xi8>
    } else {
      scf.yield %o0 : memref<16x16xi8>
    }
    %o1 = memref.alloc() : memref<16x16xi8>
    linalg.transpose ins(%r1 : memref<16x16xi8>) outs(%o1 : memref<16x16xi8>) permutation = [1, 0]
    scf.yield %o1 : memref<16x16xi8>
  }
  memref.copy %l, %out : memref<16x16xi8> to memref<16x16xi8, #p>
  return
}
