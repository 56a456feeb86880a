// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order))' | FileCheck %s

// Two branches, each of which widens its input and sums it up again. Both wide
// values need not be live at once: the first is summed up before the second is
// made.

// CHECK-LABEL: @branches
// CHECK-SAME: luna.bound = {activation_bytes = 536 : i64, path = "straight", step = "linalg.reduce", tensor_bytes = 536 : i64, total_bytes = 536 : i64}
// CHECK: linalg.broadcast ins(%[[X:.*]] : {{.*}}) outs(%[[A:alloc.*]] : memref<8x64xi8
// CHECK: linalg.reduce ins(%[[A]] :
// CHECK: linalg.broadcast ins(%[[X]] : {{.*}}) outs(%[[B:alloc.*]] : memref<8x64xi8
// CHECK: linalg.reduce ins(%[[B]] :
// CHECK: memref.copy
#shared = #luna.memory<shared>
#psram = #luna.memory<psram>
func.func @branches(%in: memref<8xi8, #psram>, %out: memref<8xi8, #psram>, %other: memref<8xi8, #psram>) {
  %x = memref.alloc() {luna.kind = "input"} : memref<8xi8, #shared>
  memref.copy %in, %x : memref<8xi8, #psram> to memref<8xi8, #shared>
  %a = memref.alloc() : memref<8x64xi8, #shared>
  linalg.broadcast ins(%x : memref<8xi8, #shared>) outs(%a : memref<8x64xi8, #shared>) dimensions = [1]
  %b = memref.alloc() : memref<8x64xi8, #shared>
  linalg.broadcast ins(%x : memref<8xi8, #shared>) outs(%b : memref<8x64xi8, #shared>) dimensions = [1]
  %s = memref.alloc() : memref<8xi8, #shared>
  linalg.reduce ins(%a : memref<8x64xi8, #shared>) outs(%s : memref<8xi8, #shared>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  %t = memref.alloc() : memref<8xi8, #shared>
  linalg.reduce ins(%b : memref<8x64xi8, #shared>) outs(%t : memref<8xi8, #shared>) dimensions = [1]
    (%v: i8, %w: i8) { linalg.yield %v : i8 }
  memref.copy %s, %out : memref<8xi8, #shared> to memref<8xi8, #psram>
  memref.copy %t, %other : memref<8xi8, #shared> to memref<8xi8, #psram>
  return
}
