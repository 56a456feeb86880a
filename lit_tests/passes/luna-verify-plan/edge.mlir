// RUN: luna-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan))'
// At the limits: empty, exactly full, one byte over.

func.func private @declaration(memref<4xi8>)

func.func @nothing_to_check() {
  return
}

// -----

#s = #luna.memory<shared>
func.func @exactly_full(%v: i8) attributes {luna.arena_bytes = 655360} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<655344xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 655344, kind = tensor>} : memref<16xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<655344xi8, #s>)
  linalg.fill ins(%v : i8) outs(%b : memref<16xi8, #s>)
  memref.copy %b, %b : memref<16xi8, #s> to memref<16xi8, #s>
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<655344xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @one_byte_overlaps(%v: i8) attributes {luna.arena_bytes = 80} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<17xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<17xi8, #s>)
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  %c15 = arith.constant 15 : index
  %x = memref.load %a[%c15] : memref<17xi8, #s>
  %c16 = arith.constant 16 : index
  // expected-error @+1 {{reads bytes [16, 17) of buffer 0, which another buffer has overwritten}}
  %y = memref.load %a[%c16] : memref<17xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @buffer_of_no_bytes(%v: i8) attributes {luna.arena_bytes = 16} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<0xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<16xi8, #s>)
  linalg.fill ins(%v : i8) outs(%b : memref<0xi8, #s>)
  memref.copy %b, %b : memref<0xi8, #s> to memref<0xi8, #s>
  memref.copy %a, %a : memref<16xi8, #s> to memref<16xi8, #s>
  return
}

// -----

// Memory that the plan has nothing to do with.
func.func @arguments_without_a_memory(%a: memref<16xi8>, %b: memref<16xi8>) {
  memref.copy %a, %b : memref<16xi8> to memref<16xi8>
  return
}
