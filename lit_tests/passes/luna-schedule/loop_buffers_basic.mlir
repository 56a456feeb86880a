// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{only-loops=true}))' | FileCheck %s

// A buffer made in the body and yielded is copied into the carried one.
// CHECK-LABEL: func.func @for_loop(
// CHECK-SAME: %[[X:.*]]: memref<4xi8>, %[[Y:.*]]: memref<4xi8>
func.func @for_loop(%x: memref<4xi8>, %y: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[C:.*]] = memref.alloc() : memref<4xi8>
  // CHECK: memref.copy %[[X]], %[[C]]
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[C]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<4xi8>) {
    // CHECK: %[[NEW:.*]] = memref.alloc()
    %new = memref.alloc() : memref<4xi8>
    // CHECK: linalg.map {{.*}} ins(%[[C]], %[[C]] : {{.*}} outs(%[[NEW]]
    linalg.map {arith.addi} ins(%a, %a : memref<4xi8>, memref<4xi8>) outs(%new : memref<4xi8>)
    // CHECK: memref.copy %[[NEW]], %[[C]]
    // CHECK-NEXT: scf.yield %[[C]]
    scf.yield %new : memref<4xi8>
  }
  // CHECK: memref.copy %[[R]], %[[Y]]
  memref.copy %r, %y : memref<4xi8> to memref<4xi8>
  return
}

// CHECK-LABEL: func.func @while_loop(
// CHECK-SAME: %[[X:.*]]: memref<i32>, %{{.*}}: memref<i32>
func.func @while_loop(%x: memref<i32>, %y: memref<i32>) {
  %k = arith.constant 10 : i32
  // CHECK: %[[C:.*]] = memref.alloc() : memref<i32>
  // CHECK: memref.copy %[[X]], %[[C]]
  // CHECK: scf.while (%{{.*}} = %[[C]])
  %r = scf.while (%a = %x) : (memref<i32>) -> memref<i32> {
    // CHECK: memref.load %[[C]]
    %v = memref.load %a[] : memref<i32>
    %go = arith.cmpi slt, %v, %k : i32
    // CHECK: scf.condition(%{{.*}}) %[[C]]
    scf.condition(%go) %a : memref<i32>
  } do {
  ^bb0(%b: memref<i32>):
    %new = memref.alloc() : memref<i32>
    linalg.map {arith.addi} ins(%b, %b : memref<i32>, memref<i32>) outs(%new : memref<i32>)
    // CHECK: memref.copy %{{.*}}, %[[C]]
    // CHECK-NEXT: scf.yield %[[C]]
    scf.yield %new : memref<i32>
  }
  memref.copy %r, %y : memref<i32> to memref<i32>
  return
}
