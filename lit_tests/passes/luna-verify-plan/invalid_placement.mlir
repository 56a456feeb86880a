// RUN: luna-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan))'
// Where buffers lie: one rule broken in each function.

#s = #luna.memory<shared>
// expected-error @+1 {{needs 655376 bytes of shared memory, machine 'venus' has 655360 (16 too many)}}
func.func @arena_larger_than_the_machine() attributes {luna.arena_bytes = 655376} {
  return
}

// -----

#s = #luna.memory<shared>
func.func @dynamic_shape(%n: index) attributes {luna.arena_bytes = 64} {
  // expected-error @+1 {{allocation in shared memory has a dynamic or unsupported shape, needs a static one}}
  %a = memref.alloc(%n) {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<?xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @no_place() {
  // expected-error @+1 {{allocation in shared memory has no 'luna.place'; run luna-plan-memory first}}
  %a = memref.alloc() : memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @offset_not_aligned() attributes {luna.arena_bytes = 128} {
  // expected-error @+1 {{buffer 7 has offset 8, needs a multiple of 16}}
  %a = memref.alloc() {luna.place = #luna.place<id = 7, offset = 8, kind = tensor>} : memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @one_byte_beyond_the_arena() attributes {luna.arena_bytes = 79} {
  // expected-error @+1 {{buffer 7 needs 64 bytes from offset 16, the arena has 79}}
  %a = memref.alloc() {luna.place = #luna.place<id = 7, offset = 16, kind = tensor>} : memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @one_id_in_two_places() attributes {luna.arena_bytes = 128} {
  // expected-note @+1 {{also allocated here}}
  %a = memref.alloc() {luna.place = #luna.place<id = 7, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{buffer 7 has offset 64 here and 0 elsewhere}}
  %b = memref.alloc() {luna.place = #luna.place<id = 7, offset = 64, kind = tensor>} : memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @view_beyond_its_buffer(%v: i8) attributes {luna.arena_bytes = 128} {
  %c32 = arith.constant 32 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 7, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.view %a[%c32][] : memref<64xi8, #s> to memref<64xi8, #s>
  // expected-error @+1 {{accesses bytes [32, 96) of buffer 7, which has 64}}
  linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  return
}

// -----

// expected-error @+1 {{has several blocks, needs structured control flow}}
func.func @several_blocks() {
  cf.br ^bb1
^bb1:
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @temporary_in_psram(%x: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 7, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{allocation outside shared memory has no place in a plan; only arguments and constants lie there}}
  %t = memref.alloc() : memref<64xi8, #p>
  %0 = luna.dma_start %t to %a : memref<64xi8, #p> to memref<64xi8, #s>
  luna.dma_wait %0
  memref.copy %a, %x : memref<64xi8, #s> to memref<64xi8, #p>
  return
}
