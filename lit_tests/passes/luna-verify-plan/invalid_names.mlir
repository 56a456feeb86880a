// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/<outstanding value="8"/<outstanding value="1"/' %luna_machines/venus.xml > %t/one.xml
// RUN: luna-opt %s --verify-diagnostics --split-input-file --pass-pipeline='builtin.module(func.func(luna-verify-plan{machine=%t/one.xml}))'

// Bytes that have several names.

// -----

// Two buffers that one region yields lie in one place.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @yielded_together(%a: memref<64xi8, #p>, %o: memref<64xi8, #p>, %v: i8) attributes {luna.arena_bytes = 128} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %t = luna.dma_start %a to %x : memref<64xi8, #p> to memref<64xi8, #s>
  luna.dma_wait %t
  %z:2 = luna.region 0 -> memref<64xi8, #s>, memref<64xi8, #s> {
    luna.yield %x, %y : memref<64xi8, #s>, memref<64xi8, #s>
  }
  // expected-note @+1 {{started here}}
  %u = luna.dma_start %z#0 to %o : memref<64xi8, #s> to memref<64xi8, #p>
  // expected-error @+1 {{writes bytes [0, 64) of buffer 1 while a transfer out of them is in flight}}
  linalg.fill ins(%v : i8) outs(%z#1 : memref<64xi8, #s>)
  luna.dma_wait %u
  return
}

// -----

// In the second iteration %p is %y and %q is %x; the fill loses what one of
// them holds.
#s = #luna.memory<shared>
func.func @outer_name_of_an_exchanged_buffer(%v: i8, %n: index) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (memref<64xi8, #s>, memref<64xi8, #s>) {
    // expected-error @+1 {{overwrites bytes [0, 64) of buffer 0, which are read by another name}}
    linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
    // expected-note @+1 {{read here}}
    memref.copy %p, %q : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %q, %p : memref<64xi8, #s>, memref<64xi8, #s>
  }
  return
}

// -----

// What the body allocates and carries on is filled in the next iteration before
// it is read.
#s = #luna.memory<shared>
func.func @carried_allocation_begins_anew(%v: i8, %n: index) attributes {luna.arena_bytes = 192} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (memref<64xi8, #s>) {
    %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    %z = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<64xi8, #s>
    // expected-error @+1 {{overwrites bytes [0, 64) of buffer 0, which are read by another name}}
    linalg.fill ins(%v : i8) outs(%y : memref<64xi8, #s>)
    // expected-note @+1 {{read here}}
    memref.copy %p, %z : memref<64xi8, #s> to memref<64xi8, #s>
    memref.copy %z, %y : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %y : memref<64xi8, #s>
  }
  return
}

// -----

// Read before it begins anew, it is right.
#s = #luna.memory<shared>
func.func @carried_allocation_is_read_before(%v: i8, %n: index) attributes {luna.arena_bytes = 192} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (memref<64xi8, #s>) {
    %z = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<64xi8, #s>
    memref.copy %p, %z : memref<64xi8, #s> to memref<64xi8, #s>
    %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    memref.copy %z, %y : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %y : memref<64xi8, #s>
  }
  return
}

// -----

#s = #luna.memory<shared>
func.func @copy_to_a_shifted_slice(%v: i8) attributes {luna.arena_bytes = 64} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %a = memref.subview %x[0] [32] [1] : memref<64xi8, #s> to memref<32xi8, strided<[1]>, #s>
  %b = memref.subview %x[16] [32] [1] : memref<64xi8, #s> to memref<32xi8, strided<[1], offset: 16>, #s>
  // expected-error @+1 {{uses buffer 0 and buffer 0 at once, which overlap}}
  memref.copy %a, %b : memref<32xi8, strided<[1]>, #s> to memref<32xi8, strided<[1], offset: 16>, #s>
  return
}

// -----

// Slices that alternate share no byte.
#s = #luna.memory<shared>
func.func @alternating_slices(%v: i8) attributes {luna.arena_bytes = 64} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %a = memref.subview %x[0] [32] [2] : memref<64xi8, #s> to memref<32xi8, strided<[2]>, #s>
  %b = memref.subview %x[1] [32] [2] : memref<64xi8, #s> to memref<32xi8, strided<[2], offset: 1>, #s>
  memref.copy %a, %b : memref<32xi8, strided<[2]>, #s> to memref<32xi8, strided<[2], offset: 1>, #s>
  return
}

// -----

// Each iteration reads an element that another one has written.
#s = #luna.memory<shared>
func.func @reversed_in_place(%v: i8) attributes {luna.arena_bytes = 64} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<8x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<8x8xi8, #s>)
  // expected-error @+1 {{uses buffer 0 and buffer 0 at once, which overlap}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xi8, #s>) outs(%x : memref<8x8xi8, #s>) {
  ^bb0(%p: i8, %q: i8):
    linalg.yield %p : i8
  }
  return
}

// -----

#s = #luna.memory<shared>
func.func @elements_at_an_odd_address(%v: i32, %w: i8) attributes {luna.arena_bytes = 48} {
  %c1 = arith.constant 1 : index
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<48xi8, #s>
  %y = memref.view %x[%c1][] : memref<48xi8, #s> to memref<8xi32, #s>
  // expected-error @+1 {{accesses byte 1 of buffer 0, needs an address that is a multiple of 4}}
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32, #s>)
  return
}

// -----

#s = #luna.memory<shared>
func.func @beyond_all_addresses() attributes {luna.arena_bytes = 64} {
  %big = arith.constant 9223372036854775807 : index
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 48, kind = tensor>} : memref<16xi8, #s>
  // expected-error @+1 {{view of dynamic extents or strides, or beyond the largest address, cannot be compared with the program}}
  %y = memref.view %x[%big][] : memref<16xi8, #s> to memref<8xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @unknown_operator_gives_a_memref(%x: memref<64xi8, #p>, %v: i8) attributes {luna.arena_bytes = 64} {
  // expected-error @+1 {{memref from an operator without a meaning for the checker}}
  %m = memref.realloc %x : memref<64xi8, #p> to memref<32xi8, #p>
  return
}

// -----

// Two tokens, of which each path holds one: one transfer is in flight.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @one_on_each_path(%w: memref<64xi8, #p>, %c: i1) attributes {luna.arena_bytes = 192} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %n = luna.dma_none
  %t = scf.if %c -> !luna.token {
    %u = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %u : !luna.token
  } else {
    scf.yield %n : !luna.token
  }
  %u = scf.if %c -> !luna.token {
    scf.yield %n : !luna.token
  } else {
    %d = luna.dma_start %w to %b : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %d : !luna.token
  }
  luna.dma_wait %t
  luna.dma_wait %u
  return
}

// -----

// The same under two conditions, which may both hold.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @two_on_one_path(%w: memref<64xi8, #p>, %c: i1, %d: i1) attributes {luna.arena_bytes = 192} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %n = luna.dma_none
  %t = scf.if %c -> !luna.token {
    // expected-note @+1 {{still in flight from here}}
    %u = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %u : !luna.token
  } else {
    scf.yield %n : !luna.token
  }
  %u = scf.if %d -> !luna.token {
    scf.yield %n : !luna.token
  } else {
    // expected-error @+1 {{makes 2 transfers in flight, machine 'venus' allows 1 on path if=then/if=else}}
    %e = luna.dma_start %w to %b : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %e : !luna.token
  }
  luna.dma_wait %t
  luna.dma_wait %u
  return
}
