// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0}))' | FileCheck %s

// linalg.reduce over no dimension is an operator that cannot work in place.
!t = memref<64xi8>

// CHECK-LABEL: @slices_count_what_is_read
// CHECK-SAME: total_bytes = 96 : i64
func.func @slices_count_what_is_read(%in: !t, %out: memref<32xi8>) {
  %x = memref.alloc() : !t
  memref.copy %in, %x : !t to !t
  %low = memref.subview %x[0] [32] [1] : !t to memref<32xi8, strided<[1]>>
  %high = memref.subview %x[32] [32] [1] : !t to memref<32xi8, strided<[1], offset: 32>>
  %y = memref.alloc() : memref<32xi8>
  %z = memref.alloc() : memref<32xi8>
  %v = memref.alloc() : memref<32xi8>
  // 64 of %x and 32 of %y; then 32 of %x, with %y and %z, and with %z and %v.
  linalg.reduce ins(%low : memref<32xi8, strided<[1]>>) outs(%y : memref<32xi8>) dimensions = []
    (%a: i8, %b: i8) { linalg.yield %a : i8 }
  linalg.reduce ins(%y : memref<32xi8>) outs(%z : memref<32xi8>) dimensions = []
    (%a: i8, %b: i8) { linalg.yield %a : i8 }
  linalg.reduce ins(%z : memref<32xi8>) outs(%v : memref<32xi8>) dimensions = []
    (%a: i8, %b: i8) { linalg.yield %a : i8 }
  linalg.reduce ins(%high : memref<32xi8, strided<[1], offset: 32>>) outs(%v : memref<32xi8>) dimensions = []
    (%a: i8, %b: i8) { linalg.yield %a : i8 }
  return
}

// Both halves lie where the whole is.
// CHECK-LABEL: @a_concatenation_adds_nothing
// CHECK-SAME: total_bytes = 128 : i64
func.func @a_concatenation_adds_nothing(%in: memref<2x32xi8>, %out: memref<2x64xi8>) {
  %a = memref.alloc() : memref<2x32xi8>
  %b = memref.alloc() : memref<2x32xi8>
  memref.copy %in, %a : memref<2x32xi8> to memref<2x32xi8>
  linalg.reduce ins(%a : memref<2x32xi8>) outs(%b : memref<2x32xi8>) dimensions = []
    (%p: i8, %q: i8) { linalg.yield %p : i8 }
  %c = memref.alloc() : memref<2x64xi8>
  %left = memref.subview %c[0, 0] [2, 32] [1, 1] : memref<2x64xi8> to memref<2x32xi8, strided<[64, 1]>>
  %right = memref.subview %c[0, 32] [2, 32] [1, 1] : memref<2x64xi8> to memref<2x32xi8, strided<[64, 1], offset: 32>>
  memref.copy %a, %left : memref<2x32xi8> to memref<2x32xi8, strided<[64, 1]>>
  memref.copy %b, %right : memref<2x32xi8> to memref<2x32xi8, strided<[64, 1], offset: 32>>
  memref.copy %c, %out : memref<2x64xi8> to memref<2x64xi8>
  return
}

// CHECK-LABEL: @a_carried_value_is_there_once
// CHECK-SAME: total_bytes = 128 : i64
func.func @a_carried_value_is_there_once(%in: !t, %out: !t, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : !t
  memref.copy %in, %x : !t to !t
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (!t) {
    %y = memref.alloc() : !t
    %z = memref.alloc() : !t
    linalg.reduce ins(%h : !t) outs(%y : !t) dimensions = []
      (%a: i8, %b: i8) { linalg.yield %a : i8 }
    linalg.reduce ins(%y : !t) outs(%z : !t) dimensions = []
      (%a: i8, %b: i8) { linalg.yield %a : i8 }
    scf.yield %z : !t
  }
  memref.copy %r, %out : !t to !t
  return
}

// The first value comes from a constant, and every turn but the first has one
// of an operator.
memref.global "private" constant @zeros : !t = dense<0>
// CHECK-LABEL: @a_constant_counts_nothing
// CHECK-SAME: total_bytes = 128 : i64
func.func @a_constant_counts_nothing(%out: !t, %n: index) {
  %zeros = memref.get_global @zeros : !t
  %x = memref.alloc() : !t
  memref.copy %zeros, %x : !t to !t
  %r:2 = scf.while (%h = %x, %i = %n) : (!t, index) -> (!t, index) {
    %c0 = arith.constant 0 : index
    %go = arith.cmpi ne, %i, %c0 : index
    scf.condition(%go) %h, %i : !t, index
  } do {
  ^bb0(%h: !t, %i: index):
    %c1 = arith.constant 1 : index
    %next = arith.subi %i, %c1 : index
    %y = memref.alloc() : !t
    linalg.reduce ins(%h : !t) outs(%y : !t) dimensions = []
      (%a: i8, %b: i8) { linalg.yield %a : i8 }
    scf.yield %y, %next : !t, index
  }
  memref.copy %r#0, %out : !t to !t
  return
}

// CHECK-LABEL: @one_turn_reads_the_constant
// CHECK-SAME: total_bytes = 64 : i64
func.func @one_turn_reads_the_constant(%out: !t) {
  %zeros = memref.get_global @zeros : !t
  %x = memref.alloc() : !t
  memref.copy %zeros, %x : !t to !t
  %y = memref.alloc() : !t
  linalg.reduce ins(%x : !t) outs(%y : !t) dimensions = []
    (%a: i8, %b: i8) { linalg.yield %a : i8 }
  memref.copy %y, %out : !t to !t
  return
}

#id = affine_map<(d0) -> (d0)>
// The result may lie where %x does, which dies; not in the second function.
// CHECK-LABEL: @an_operator_works_in_place
// CHECK-SAME: total_bytes = 64 : i64
func.func @an_operator_works_in_place(%in: !t, %out: !t) {
  %x = memref.alloc() : !t
  memref.copy %in, %x : !t to !t
  %y = memref.alloc() : !t
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : !t) outs(%y : !t) {
  ^bb0(%a: i8, %b: i8):
    linalg.yield %a : i8
  }
  memref.copy %y, %out : !t to !t
  return
}

// CHECK-LABEL: @but_not_where_the_operand_lives
// CHECK-SAME: total_bytes = 128 : i64
func.func @but_not_where_the_operand_lives(%in: !t, %out: !t) {
  %x = memref.alloc() : !t
  memref.copy %in, %x : !t to !t
  %y = memref.alloc() : !t
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : !t) outs(%y : !t) {
  ^bb0(%a: i8, %b: i8):
    linalg.yield %a : i8
  }
  memref.copy %y, %out : !t to !t
  %z = memref.alloc() : !t
  linalg.reduce ins(%x : !t) outs(%z : !t) dimensions = []
    (%a: i8, %b: i8) { linalg.yield %a : i8 }
  return
}

// Branches of one condition go the same way: %x is there for the second one
// only if the first made it.
// CHECK-LABEL: @conditions_are_decided_once
// CHECK-SAME: total_bytes = 64 : i64
func.func @conditions_are_decided_once(%f: i1, %in: !t, %out: !t) {
  %true = arith.constant true
  %not = arith.xori %f, %true : i1
  %x = memref.alloc() : !t
  %y = memref.alloc() : !t
  scf.if %f {
    memref.copy %in, %x : !t to !t
  }
  scf.if %not {
    memref.copy %in, %y : !t to !t
  }
  scf.if %f {
    memref.copy %x, %out : !t to !t
  }
  scf.if %not {
    memref.copy %y, %out : !t to !t
  }
  return
}
