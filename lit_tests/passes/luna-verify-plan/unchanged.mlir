// RUN: luna-opt %s -o %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan))' \
// RUN:   -o %t.after
// RUN: diff %t.before %t.after
// The check changes nothing.

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @one_layer(%x: memref<1x16xi8, #p>, %o: memref<1x16xi8, #p>) attributes {luna.arena_bytes = 32} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<1x16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<1x16xi8, #s>
  %t = luna.dma_start %x to %a : memref<1x16xi8, #p> to memref<1x16xi8, #s>
  luna.dma_wait %t
  luna.add ins(%a, %a : memref<1x16xi8, #s>, memref<1x16xi8, #s>) outs(%b : memref<1x16xi8, #s>) {requant = #luna.requant<mode = shift>}
  %u = luna.dma_start %b to %o : memref<1x16xi8, #s> to memref<1x16xi8, #p>
  luna.dma_wait %u
  return
}
