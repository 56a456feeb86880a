// One operator may be looked at: no better order is found.
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=1}))' | FileCheck %s --check-prefix=FEW
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=10000 machine=venus}))' | FileCheck %s --check-prefix=ENOUGH
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{machine=moon}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// FEW: linalg.broadcast
// FEW-NOT: linalg.reduce
// FEW: linalg.broadcast
// ENOUGH: linalg.broadcast
// ENOUGH: linalg.reduce
// ENOUGH: linalg.broadcast
// UNKNOWN: moon

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @main(%in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  %a = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%a : memref<8x64xi8, #s>) dimensions = [1]
  %b = memref.alloc() : memref<8x64xi8, #s>
  linalg.broadcast ins(%x : memref<8xi8, #s>) outs(%b : memref<8x64xi8, #s>) dimensions = [1]
  %m = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%a : memref<8x64xi8, #s>) outs(%m : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  %n = memref.alloc() : memref<8xi8, #s>
  linalg.reduce ins(%b : memref<8x64xi8, #s>) outs(%n : memref<8xi8, #s>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %m, %out : memref<8xi8, #s> to memref<8xi8, #p>
  memref.copy %n, %other : memref<8xi8, #s> to memref<8xi8, #p>
  return
}
