// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order))' | FileCheck %s

#s = #luna.memory<shared>
#p = #luna.memory<psram>

// CHECK-LABEL: @nothing
// CHECK-NEXT: return
func.func @nothing() {
  return
}

// CHECK-LABEL: @declared(
func.func private @declared()

// CHECK-LABEL: @one_operator
// CHECK: memref.copy
// CHECK: memref.copy
func.func @one_operator(%in: memref<8xi8, #p>, %out: memref<8xi8, #p>) {
  %x = memref.alloc() : memref<8xi8, #s>
  memref.copy %in, %x : memref<8xi8, #p> to memref<8xi8, #s>
  memref.copy %x, %out : memref<8xi8, #s> to memref<8xi8, #p>
  return
}

// Buffers without bytes gain nothing.
// CHECK-LABEL: @empty_buffers
// CHECK: linalg.fill {{.*}} outs(%[[A:.*]] :
// CHECK: linalg.fill {{.*}} outs(%[[B:.*]] :
func.func @empty_buffers(%f: i8) {
  %a = memref.alloc() : memref<0xi8, #s>
  %b = memref.alloc() : memref<0xi8, #s>
  linalg.fill ins(%f : i8) outs(%b : memref<0xi8, #s>)
  linalg.fill ins(%f : i8) outs(%a : memref<0xi8, #s>)
  return
}

// The peak is elsewhere, and no order changes it: nothing is moved.
// CHECK-LABEL: @no_gain_in_all
// CHECK: linalg.broadcast
// CHECK-NOT: linalg.reduce
// CHECK: linalg.broadcast
// CHECK: memref<64x64xi8
func.func @no_gain_in_all(%c: i1, %in: memref<8xi8, #p>, %out: memref<8xi8, #p>, %other: memref<8xi8, #p>, %large: memref<64x64xi8, #p>) {
  scf.if %c {
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
  } else {
  %l = memref.alloc() : memref<64x64xi8, #s>
  memref.copy %large, %l : memref<64x64xi8, #p> to memref<64x64xi8, #s>
  memref.copy %l, %large : memref<64x64xi8, #s> to memref<64x64xi8, #p>
  }
  return
}
