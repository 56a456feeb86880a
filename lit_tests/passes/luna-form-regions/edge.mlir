// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions))' | FileCheck %s

// Nothing to cut: no region.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
func.func @empty() {
  return
}

// Two branches in a row: no empty region between them.
// CHECK-LABEL: func.func @adjacent
func.func @adjacent(%c: i1, %a: memref<4xi8>, %b: memref<4xi8>) {
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: luna.label "if0"
  // CHECK-NEXT: luna.region 0
  // CHECK: }
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: luna.label "if1"
  // CHECK-NEXT: luna.region 1
  scf.if %c {
    memref.copy %a, %b : memref<4xi8> to memref<4xi8>
  }
  scf.if %c {
    memref.copy %b, %a : memref<4xi8> to memref<4xi8>
  }
  return
}

// Values that later code needs are results, each once; the condition too.
// CHECK-LABEL: func.func @results
func.func @results(%p: memref<i1>, %a: memref<4xi8>) {
  // CHECK: %[[R:.*]]:2 = luna.region 0 -> i1, memref<4xi8> {
  // CHECK: %[[C:.*]] = memref.load
  // CHECK: %[[M:.*]] = memref.alloc
  // CHECK: luna.yield %[[C]], %[[M]] : i1, memref<4xi8>
  %c = memref.load %p[] : memref<i1>
  %m = memref.alloc() : memref<4xi8>
  memref.copy %a, %m : memref<4xi8> to memref<4xi8>
  // CHECK: scf.if %[[R]]#0
  scf.if %c {
    // CHECK: memref.copy %[[R]]#1
    memref.copy %m, %a : memref<4xi8> to memref<4xi8>
  }
  // CHECK: memref.copy %[[R]]#1
  memref.copy %m, %a : memref<4xi8> to memref<4xi8>
  return
}

// A name given before is kept.
// CHECK-LABEL: func.func @named
func.func @named(%c: i1, %a: memref<4xi8>) {
  // CHECK: luna.label "voice"
  // CHECK-NOT: luna.label
  scf.if %c {
    luna.label "voice"
    memref.copy %a, %a : memref<4xi8> to memref<4xi8>
  }
  return
}

// A loop in the body of an operator is part of what that computes.
// CHECK-LABEL: func.func @body
func.func @body(%a: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK-NOT: luna.label
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : memref<4xi8>) {
  ^bb0(%x: i8):
    %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%y = %x) -> (i8) {
      %z = arith.addi %y, %y : i8
      scf.yield %z : i8
    }
    linalg.yield %s : i8
  }
  return
}

// Declarations are left alone.
// CHECK: func.func private @declared(memref<4xi8>)
func.func private @declared(memref<4xi8>)
