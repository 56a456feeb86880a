// RUN: not luna-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan))' 2>&1 | FileCheck %s

// The plan below lets `small`, which only the else branch uses, lie on `input`,
// which the network reads again after the branch. It is right when the then
// branch runs, and wrong when the else branch does.

// CHECK: error: reads bytes [0, 16) of buffer 0 'input', which another buffer has overwritten on path if0=else
// CHECK: luna.add ins(%input, %result
// CHECK: note: overwritten here
// CHECK: linalg.fill {{.*}} outs(%small
#shared = #luna.memory<shared>
#psram = #luna.memory<psram>
func.func @network(%x: memref<1x64xi8, #psram>, %big: i1, %v: i8) attributes {luna.arena_bytes = 192} {
  %input = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor, name = "input">} : memref<1x64xi8, #shared>
  %t = luna.dma_start %x to %input : memref<1x64xi8, #psram> to memref<1x64xi8, #shared>
  luna.dma_wait %t
  %result = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor, name = "result">} : memref<1x64xi8, #shared>
  scf.if %big {
    luna.label "if0"
    memref.copy %input, %result : memref<1x64xi8, #shared> to memref<1x64xi8, #shared>
  } else {
    %small = memref.alloc() {luna.place = #luna.place<id = 2, offset = 0, kind = tensor, name = "small">} : memref<1x16xi8, #shared>
    linalg.fill ins(%v : i8) outs(%small : memref<1x16xi8, #shared>)
    linalg.fill ins(%v : i8) outs(%result : memref<1x64xi8, #shared>)
  }
  %sum = memref.alloc() {luna.place = #luna.place<id = 3, offset = 128, kind = tensor, name = "sum">} : memref<1x64xi8, #shared>
  luna.add ins(%input, %result : memref<1x64xi8, #shared>, memref<1x64xi8, #shared>) outs(%sum : memref<1x64xi8, #shared>) {requant = #luna.requant<mode = shift>}
  return
}
