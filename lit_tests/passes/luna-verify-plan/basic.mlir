// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan))' > %t.after 2> %t.err
// RUN: diff %t.before %t.after
// RUN: count 0 < %t.err

// A right plan passes as it is, and without a word: `small` is used in one
// branch only, where it lies on no byte that is still read. `doc.mlir` has the
// same network with `small` on `input`.
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
    %small = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor, name = "small">} : memref<1x16xi8, #shared>
    linalg.fill ins(%v : i8) outs(%small : memref<1x16xi8, #shared>)
    linalg.fill ins(%v : i8) outs(%result : memref<1x64xi8, #shared>)
  }
  %sum = memref.alloc() {luna.place = #luna.place<id = 3, offset = 128, kind = tensor, name = "sum">} : memref<1x64xi8, #shared>
  luna.add ins(%input, %result : memref<1x64xi8, #shared>, memref<1x64xi8, #shared>) outs(%sum : memref<1x64xi8, #shared>) {requant = #luna.requant<mode = shift>}
  return
}
