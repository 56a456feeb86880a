// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-assign-memory)' > %t.after
// RUN: diff %t.before %t.after

// What has its memories already; an input that is only loaded from stays.
func.func @main(%c: memref<i1, #luna.memory<psram>>, %x: memref<16xi8, #luna.memory<psram>>, %y: memref<16xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<16xi8, #luna.memory<shared>>
  %b = memref.load %c[] : memref<i1, #luna.memory<psram>>
  scf.if %b {
    linalg.map {arith.addi} ins(%a, %a : memref<16xi8, #luna.memory<shared>>, memref<16xi8, #luna.memory<shared>>) outs(%a : memref<16xi8, #luna.memory<shared>>)
  }
  memref.copy %a, %y : memref<16xi8, #luna.memory<shared>> to memref<16xi8, #luna.memory<psram>>
  return
}
