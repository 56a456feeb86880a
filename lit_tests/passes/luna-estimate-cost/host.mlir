// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory,luna-estimate-cost{machine=%source/luna_target/fuzz/machine_corpus/valid.xml}))' | FileCheck %s

// All costs of this machine's core are one cycle, but the program is entered for
// nothing. A call, and its two memrefs: 3. 64 turns, of which each moves two memrefs, loads, divides, stores: 6.

#vector = affine_map<(d0) -> (d0)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @quotient
// CHECK-SAME: host = 387 : i64
func.func @quotient(%x: memref<64xi32, #luna.memory<shared>>, %y: memref<64xi32, #luna.memory<shared>>, %by: i32) {
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xi32, #luna.memory<shared>>) outs(%y : memref<64xi32, #luna.memory<shared>>) {
  ^bb0(%a: i32, %out: i32):
    %q = arith.divsi %a, %by : i32
    linalg.yield %q : i32
  }
  return
}

// By 8, four operations on integers; unsigned, one.
// CHECK-LABEL: func.func @power_of_two
// CHECK-SAME: host = 643 : i64
func.func @power_of_two(%x: memref<64xi32, #luna.memory<shared>>, %y: memref<64xi32, #luna.memory<shared>>) {
  %c8 = arith.constant 8 : i32
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xi32, #luna.memory<shared>>) outs(%y : memref<64xi32, #luna.memory<shared>>) {
  ^bb0(%a: i32, %out: i32):
    %q = arith.divsi %a, %c8 : i32
    %r = arith.remui %q, %c8 : i32
    linalg.yield %r : i32
  }
  return
}

// The row's product is outside of the inner loop: 4 times. An outer turn costs
// itself and two moves, an inner one itself, two moves, two accesses and a sum.
// CHECK-LABEL: func.func @of_the_row
// CHECK-SAME: host = 1555 : i64
func.func @of_the_row(%x: memref<4x64xi32, #luna.memory<shared>>, %y: memref<4x64xi32, #luna.memory<shared>>) {
  %c9 = arith.constant 9 : i32
  linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x64xi32, #luna.memory<shared>>) outs(%y : memref<4x64xi32, #luna.memory<shared>>) {
  ^bb0(%a: i32, %out: i32):
    %row = linalg.index 0 : index
    %number = arith.index_cast %row : index to i32
    %nine = arith.muli %number, %c9 : i32
    %sum = arith.addi %a, %nine : i32
    linalg.yield %sum : i32
  }
  return
}

// Unrolled: a sum reads its output once and writes it in each of 8 turns.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: host = 21 : i64
func.func @sum(%x: memref<8xi32, #luna.memory<shared>>, %y: memref<i32, #luna.memory<shared>>) {
  linalg.generic {indexing_maps = [#vector, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : memref<8xi32, #luna.memory<shared>>) outs(%y : memref<i32, #luna.memory<shared>>) {
  ^bb0(%a: i32, %out: i32):
    %sum = arith.addi %a, %out : i32
    linalg.yield %sum : i32
  }
  return
}

// Bytes are filled by blocks of 16, a few by as many stores; numbers that only
// the running program knows, by a loop.
// CHECK-LABEL: func.func @fill
// CHECK-SAME: host = 210 : i64
func.func @fill(%x: memref<64xi8, #luna.memory<shared>>, %few: memref<8xi8, #luna.memory<shared>>, %y: memref<64xi32, #luna.memory<shared>>, %byte: i8, %number: i32) {
  linalg.fill ins(%byte : i8) outs(%x : memref<64xi8, #luna.memory<shared>>)
  linalg.fill ins(%byte : i8) outs(%few : memref<8xi8, #luna.memory<shared>>)
  linalg.fill ins(%number : i32) outs(%y : memref<64xi32, #luna.memory<shared>>)
  return
}

// On chip a fill is the unit's where it knows the number; it comes from a load.
// CHECK-LABEL: func.func @fill_of_load
// CHECK-SAME: host = 197 : i64
func.func @fill_of_load(%from: memref<1xi32, #luna.memory<shared>>, %y: memref<64xi32, #luna.memory<shared>>) {
  %c0 = arith.constant 0 : index
  %number = memref.load %from[%c0] : memref<1xi32, #luna.memory<shared>>
  linalg.fill ins(%number : i32) outs(%y : memref<64xi32, #luna.memory<shared>>)
  return
}

// One element is one access, whatever the memref has: 16 times a call, its
// memref, the access, and for the index a product and a sum; the remainder, five
// operations of a counter below 2^16, belongs to the load, which needs it first,
// and the sum to the store.
// CHECK-LABEL: func.func @one_element
// CHECK-SAME: host = 256 : i64
func.func @one_element(%x: memref<4096xi32, #luna.memory<shared>>, %y: memref<4096xi32, #luna.memory<shared>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %at = arith.remui %i, %c7 : index
    %number = memref.load %x[%at] : memref<4096xi32, #luna.memory<shared>>
    %sum = arith.addi %number, %number : i32
    memref.store %sum, %y[%at] : memref<4096xi32, #luna.memory<shared>>
  }
  return
}

// A constant index is part of the address, and what checks compute is not
// counted.
// CHECK-LABEL: func.func @checked_element
// CHECK-SAME: host = 9 : i64
func.func @checked_element(%x: memref<4096xi32, #luna.memory<shared>>, %y: memref<4096xi32, #luna.memory<shared>>, %i: index) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %at = arith.addi %i, %c7 : index
  %inside = arith.cmpi sge, %at, %c0 : index
  cf.assert %inside, "index out of bounds"
  %number = memref.load %x[%at] : memref<4096xi32, #luna.memory<shared>>
  memref.store %number, %y[%c0] : memref<4096xi32, #luna.memory<shared>>
  return
}

// LLVM computes a square as a product: one of 6 a turn.
// CHECK-LABEL: func.func @square
// CHECK-SAME: host = 387 : i64
func.func @square(%x: memref<64xf32, #luna.memory<shared>>, %y: memref<64xf32, #luna.memory<shared>>) {
  %two = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xf32, #luna.memory<shared>>) outs(%y : memref<64xf32, #luna.memory<shared>>) {
  ^bb0(%a: f32, %out: f32):
    %p = math.powf %a, %two : f32
    linalg.yield %p : f32
  }
  return
}

// Floats of 64 bits have costs of their own: each of 64 turns takes a sum, itself,
// three moves, two loads and a store, each of two words. A floor takes 16 operations
// on integers, a quotient of 64 bits 110.
// CHECK-LABEL: func.func @counted
// CHECK-SAME: host = 708 : i64
func.func @counted(%x: memref<64xf64, #luna.memory<shared>>, %y: memref<64xf64, #luna.memory<shared>>, %z: memref<64xf64, #luna.memory<shared>>) {
  linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]} ins(%x, %y : memref<64xf64, #luna.memory<shared>>, memref<64xf64, #luna.memory<shared>>) outs(%z : memref<64xf64, #luna.memory<shared>>) {
  ^bb0(%a: f64, %b: f64, %out: f64):
    %sum = arith.addf %a, %b : f64
    linalg.yield %sum : f64
  }
  return
}

// CHECK-LABEL: func.func @counted_of_one
// CHECK-SAME: host = 1411 : i64
func.func @counted_of_one(%x: memref<64xf32, #luna.memory<shared>>, %y: memref<64xf32, #luna.memory<shared>>) {
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xf32, #luna.memory<shared>>) outs(%y : memref<64xf32, #luna.memory<shared>>) {
  ^bb0(%a: f32, %out: f32):
    %floor = math.floor %a : f32
    %angle = math.asin %floor : f32
    linalg.yield %angle : f32
  }
  return
}

// CHECK-LABEL: func.func @wide_quotient
// CHECK-SAME: host = 7491 : i64
func.func @wide_quotient(%x: memref<64xi64, #luna.memory<shared>>, %y: memref<64xi64, #luna.memory<shared>>, %by: i64) {
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xi64, #luna.memory<shared>>) outs(%y : memref<64xi64, #luna.memory<shared>>) {
  ^bb0(%a: i64, %out: i64):
    %q = arith.divsi %a, %by : i64
    linalg.yield %q : i64
  }
  return
}

// Of 4 turns, all unrolled, the accesses and minima are left, beside the call
// and its memref: places, and what chooses by them, are constants. A number
// between 0 and 0 is 0.
// CHECK-LABEL: func.func @unrolled
// CHECK-SAME: host = 18 : i64
func.func @unrolled(%x: memref<1x4xi32, #luna.memory<shared>>, %y: memref<4xi32, #luna.memory<shared>>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  linalg.generic {indexing_maps = [#vector], iterator_types = ["parallel"]} outs(%y : memref<4xi32, #luna.memory<shared>>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %j = arith.remui %i, %c2 : index
    %least = arith.maxsi %i, %c0 : index
    %row = arith.minsi %least, %c0 : index
    %a = memref.load %x[%row, %j] : memref<1x4xi32, #luna.memory<shared>>
    %is_first = arith.cmpi slt, %i, %c2 : index
    %low = arith.minsi %out, %a : i32
    %chosen = arith.select %is_first, %low, %a : i32
    linalg.yield %chosen : i32
  }
  return
}

// A power of no constant is a call.
// CHECK-LABEL: func.func @power
// CHECK-SAME: host = 387 : i64
func.func @power(%x: memref<64xf32, #luna.memory<shared>>, %y: memref<64xf32, #luna.memory<shared>>) {
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xf32, #luna.memory<shared>>) outs(%y : memref<64xf32, #luna.memory<shared>>) {
  ^bb0(%a: f32, %out: f32):
    %p = math.powf %a, %a : f32
    linalg.yield %p : f32
  }
  return
}

// A comparison is a part of the selections by it: one of 6 a turn.
// CHECK-LABEL: func.func @selection
// CHECK-SAME: host = 387 : i64
func.func @selection(%x: memref<64xi32, #luna.memory<shared>>, %y: memref<64xi32, #luna.memory<shared>>) {
  %c9 = arith.constant 9 : i32
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xi32, #luna.memory<shared>>) outs(%y : memref<64xi32, #luna.memory<shared>>) {
  ^bb0(%a: i32, %out: i32):
    %is_less = arith.cmpi slt, %a, %c9 : i32
    %b = arith.select %is_less, %a, %c9 : i32
    linalg.yield %b : i32
  }
  return
}

// A scale of 1, a shift back of a product, is nothing: each of 64 turns takes
// itself, two moves, two loads of a word and stores of two.
// CHECK-LABEL: func.func @shift_back
// CHECK-SAME: host = 387 : i64
func.func @shift_back(%x: memref<64xi32, #luna.memory<shared>>, %y: memref<64xi64, #luna.memory<shared>>) {
  %factor = arith.constant 1073741824 : i64
  %half = arith.constant 536870912 : i64
  %c30 = arith.constant 30 : i64
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xi32, #luna.memory<shared>>) outs(%y : memref<64xi64, #luna.memory<shared>>) {
  ^bb0(%a: i32, %out: i64):
    %wide = arith.extsi %a : i32 to i64
    %product = arith.muli %wide, %factor : i64
    %sum = arith.addi %product, %half : i64
    %shifted = arith.shrsi %sum, %c30 : i64
    linalg.yield %shifted : i64
  }
  return
}

// What leads to one number alone is dead: a load and a maximum less in each turn.
// CHECK-LABEL: func.func @dead
// CHECK-SAME: host = 387 : i64
func.func @dead(%x: memref<64xi32, #luna.memory<shared>>, %y: memref<64xi32, #luna.memory<shared>>, %at: memref<1xi32, #luna.memory<shared>>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<64xi32, #luna.memory<shared>>) outs(%y : memref<64xi32, #luna.memory<shared>>) {
  ^bb0(%a: i32, %out: i32):
    %start = memref.load %at[%c0] : memref<1xi32, #luna.memory<shared>>
    %least = arith.maxsi %start, %zero : i32
    %none = arith.minsi %least, %zero : i32
    %sum = arith.addi %a, %none : i32
    linalg.yield %sum : i32
  }
  return
}
