// Plans that the function carries: none is found, and the new one is added.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory{strategy=naive}))' > %t.new
// RUN: FileCheck %s --check-prefix=NEW < %t.new
// NEW: func.func @two
// NEW-SAME: strategy = "naive"
// NEW-SAME: luna.plan_hints = {exact = {{{"?[0-9a-f]+"?}} = array<i8: 1, {{[^>]*}}>}}}
// NEW: offset = 0
// NEW: offset = 32
//
// One that holds is taken as it is: with tensor0 after tensor1, which naive never
// does.
// RUN: grep -o 'luna.plan_hints = {exact = {.*}}' %t.new | sed -E 's/(array<i8: 1, (0, ){7}[0-9]+, (0, ){15}96, (0, ){7})0, ((0, ){7})32,/\164, \50,/;s/.*/s|luna.plan_hints = {exact = {}}|&|/;s/}}}/}}/' > %t.sed
// RUN: sed -f %t.sed %s > %t.mlir && not cmp %s %t.mlir
// RUN: luna-opt %t.mlir --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory{strategy=naive}))' > %t.taken
// RUN: FileCheck %s --check-prefix=TAKEN < %t.taken
// TAKEN: offset = 64
// TAKEN: offset = 0
//
// It is of these options alone.
// RUN: luna-opt %t.mlir --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory{strategy=naive merge=none}))' | FileCheck %s --check-prefix=OTHER
// OTHER: offset = 0
// OTHER: offset = 32
//
// One that does not hold is planned anew, and replaced: the buffers overlap.
// RUN: sed -E 's/(array<i8: 1, (0, ){7}[0-9]+, (0, ){15}96, (0, ){7})64,/\10,/' %t.mlir > %t.overlap.mlir && not cmp %t.mlir %t.overlap.mlir
// RUN: luna-opt %t.overlap.mlir --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory{strategy=naive}))' > %t.again
// RUN: cmp %t.new %t.again
//
// A plan to start from is one of any options; what search has proven counts
// where it is trusted.
// RUN: sed 's/exact = {}}/best = {}, exact = {}, trusted}/' %s > %t.best.mlir
// RUN: luna-opt %t.best.mlir --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-plan-memory))' | FileCheck %s --check-prefix=BEST
// BEST: luna.plan_hints = {best = {{{"?[0-9a-f]+"?}} = array<i8: {{[^>]*}}>}, exact = {{{"?[0-9a-f]+"?}} = array<i8: 1, {{[^>]*}}>}, trusted}

func.func @two(%x: memref<32xi8>) attributes {luna.plan_hints = {exact = {}}} {
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<64xi8>
  %v = memref.subview %b[0] [32] [1] : memref<64xi8> to memref<32xi8, strided<[1]>>
  memref.copy %x, %a : memref<32xi8> to memref<32xi8>
  memref.copy %a, %v : memref<32xi8> to memref<32xi8, strided<[1]>>
  memref.copy %v, %x : memref<32xi8, strided<[1]>> to memref<32xi8>
  return
}
