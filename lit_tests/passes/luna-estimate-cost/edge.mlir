// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory,luna-estimate-cost))' | FileCheck %s

// A transfer in one turn and work in the next takes longer than either in both:
// no path is that slow, but a run may be.
// CHECK-LABEL: func.func @decided_anew
// CHECK-SAME: luna.cost = {at_most = 5756 : i64
// CHECK-SAME: cycles = 4710 : i64, {{[^}]*}} path = "if0=then"
// CHECK-SAME: cycles = 2190 : i64, {{[^}]*}} path = "if0=else"
func.func @decided_anew(%flags: memref<2xi1, #luna.memory<psram>>, %x: memref<4096xi8, #luna.memory<psram>>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %at = memref.alloc() : memref<4096xi8, #luna.memory<shared>>
  %v = memref.alloc() : memref<1x1x4096xi8, #luna.memory<shared>>
  %none = luna.dma_none
  %last = scf.for %i = %zero to %two step %one iter_args(%token = %none) -> (!luna.token) {
    luna.dma_wait %token
    %flag = memref.load %flags[%i] : memref<2xi1, #luna.memory<psram>>
    %next = scf.if %flag -> (!luna.token) {
      %started = luna.dma_start %x to %at : memref<4096xi8, #luna.memory<psram>> to memref<4096xi8, #luna.memory<shared>>
      scf.yield %started : !luna.token
    } else {
      memref.copy %v, %v : memref<1x1x4096xi8, #luna.memory<shared>> to memref<1x1x4096xi8, #luna.memory<shared>>
      %nothing = luna.dma_none
      scf.yield %nothing : !luna.token
    }
    scf.yield %next : !luna.token
  }
  return
}

// One condition decides both: the slow sides are never on one path.
// CHECK-LABEL: func.func @decided_once
// CHECK-SAME: luna.cost = {at_most = [[N:[0-9]+]] : i64
// CHECK-SAME: cycles = [[N]] : i64, {{[^}]*}} path = "if0=else/if1=then"
// CHECK-SAME: cycles = [[N]] : i64, {{[^}]*}} path = "if0=then/if1=else"
// CHECK-SAME: impossible_paths = 2 : i64
func.func @decided_once(%c: i1, %x: memref<64xi8>, %y: memref<64xi8>) {
  %true = arith.constant true
  %not = arith.xori %true, %c : i1
  scf.if %c {
    memref.copy %x, %y : memref<64xi8> to memref<64xi8>
  }
  memref.copy %y, %x : memref<64xi8> to memref<64xi8>
  scf.if %not {
    memref.copy %x, %y : memref<64xi8> to memref<64xi8>
  }
  return
}

// Turns that data decides: what a turn adds, of the inner loop in one turn of
// the outer one.
// CHECK-LABEL: func.func @turns
// CHECK-SAME: luna.cost = {at_most = 0 : i64, paths = [{
// CHECK-SAME: cycles = 21 : i64
// CHECK-SAME: loops = [{cycles = [[A:[0-9]+]] : i64, loop = "loop0"}, {cycles = [[A]] : i64, loop = "loop1"}]
func.func @turns(%n: index, %x: memref<64xi8>, %y: memref<64xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    memref.copy %x, %y : memref<64xi8> to memref<64xi8>
    scf.for %k = %zero to %n step %one {
      memref.copy %y, %x : memref<64xi8> to memref<64xi8>
    }
  }
  return
}

// Switches of one index with other cases: their ways have nothing in common.
// CHECK-LABEL: func.func @other_cases
// CHECK-SAME: luna.cost = {at_most = 1011 : i64
// CHECK-SAME: cycles = 1011 : i64, {{[^}]*}} path = "if0=case3/if1=default"
// CHECK-SAME: impossible_paths = 0 : i64
func.func @other_cases(%k: index, %x: memref<64xi8>, %y: memref<64xi8>) {
  scf.index_switch %k
  case 2 {
    scf.yield
  }
  case 3 {
    memref.copy %x, %y : memref<64xi8> to memref<64xi8>
    scf.yield
  }
  default {
  }
  scf.index_switch %k
  case 9 {
    scf.yield
  }
  default {
    memref.copy %x, %y : memref<64xi8> to memref<64xi8>
  }
  return
}
