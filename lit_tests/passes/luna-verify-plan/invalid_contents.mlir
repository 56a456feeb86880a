// RUN: luna-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan))'
// What buffers hold: reads of bytes that are not those of the value read.

#s = #luna.memory<shared>
func.func @two_live_buffers_overlap(%v: i8) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 48, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  %c = memref.alloc() {luna.place = #luna.place<id = 2, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [48, 64) of buffer 0, which another buffer has overwritten}}
  memref.copy %a, %c : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @names_of_buffers(%v: i8) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor, name = "head">} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<64xi8, #s> loc("tail")
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  // expected-error @+1 {{reads bytes [0, 64) of buffer 0 'head', which another buffer has overwritten}}
  memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @never_written() attributes {luna.arena_bytes = 128} {
  // expected-note @+1 {{allocated here}}
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 64) of buffer 0, which nothing has written}}
  memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @written_in_one_branch_only(%v: i8, %c: i1) attributes {luna.arena_bytes = 128} {
  // expected-note @+1 {{allocated here}}
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  scf.if %c {
    luna.label "if0"
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  }
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 64) of buffer 0, which nothing has written on path if0=else}}
  memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @overwritten_on_one_path(%v: i8, %c: i1, %d: i1) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  scf.if %c {
    luna.label "if0"
  } else {
    scf.if %d {
      luna.label "if1"
      %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 32, kind = tensor>} : memref<16xi8, #s>
      // expected-note @+1 {{overwritten here}}
      linalg.fill ins(%v : i8) outs(%b : memref<16xi8, #s>)
    }
  }
  %e = memref.alloc() {luna.place = #luna.place<id = 2, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [32, 48) of buffer 0, which another buffer has overwritten on path if0=else/if1=then}}
  memref.copy %a, %e : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @path_through_a_switch(%v: i8, %i: index) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  scf.index_switch %i
  case 2 {
    luna.label "switch0"
    scf.yield
  }
  case 5 {
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<64xi8, #s>
    // expected-note @+1 {{overwritten here}}
    linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
    scf.yield
  }
  default {
  }
  %e = memref.alloc() {luna.place = #luna.place<id = 2, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 64) of buffer 0, which another buffer has overwritten on path switch0=case5}}
  memref.copy %a, %e : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @left_unwritten_by_default(%v: i8, %i: index) attributes {luna.arena_bytes = 128} {
  // expected-note @+1 {{allocated here}}
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  scf.index_switch %i
  case 2 {
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
    scf.yield
  }
  default {
  }
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 64) of buffer 0, which nothing has written on path switch=default}}
  memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @operator_overwrites_its_own_input(%v: i8) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 48, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  // expected-error @+1 {{uses buffer 0 and buffer 1 at once, which overlap}}
  memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @second_instance_of_one_id(%v: i8) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %b = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  %c = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 64) of buffer 0, which another buffer has overwritten}}
  memref.copy %a, %c : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

// One branch yields a buffer of its own, the other an outer one: both are live
// after the branch.
#s = #luna.memory<shared>
func.func @result_overwritten_after_the_branch(%v: i8, %c: i1) attributes {luna.arena_bytes = 192} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %r = scf.if %c -> memref<64xi8, #s> {
    luna.label "if0"
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %b : memref<64xi8, #s>
  } else {
    scf.yield %a : memref<64xi8, #s>
  }
  %d = memref.alloc() {luna.place = #luna.place<id = 2, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%v : i8) outs(%d : memref<64xi8, #s>)
  %e = memref.alloc() {luna.place = #luna.place<id = 3, offset = 128, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 64) of buffer 1, which another buffer has overwritten}}
  memref.copy %r, %e : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

#s = #luna.memory<shared>
func.func @overwritten_by_the_turn_before(%v: i8, %n: index) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %d = memref.alloc() {luna.place = #luna.place<id = 2, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{reads bytes [0, 64) of buffer 0, which another buffer has overwritten}}
    memref.copy %a, %d : memref<64xi8, #s> to memref<64xi8, #s>
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<64xi8, #s>
    // expected-note @+1 {{overwritten here}}
    linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  }
  return
}

// -----

// A value made in the body and carried shares the place of the one it is
// made from: never one address for both.
#s = #luna.memory<shared>
func.func @carried_value_in_one_place(%v: i8, %n: index) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<64xi8, #s>) {
    %b = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    // expected-note @+1 {{overwritten here}}
    linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
    // expected-error @+1 {{reads bytes [0, 64) of buffer 0, which another buffer has overwritten}}
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%x : memref<64xi8, #s>) outs(%b : memref<64xi8, #s>) {
    ^bb0(%p: i8, %q: i8):
      %s = arith.addi %p, %q : i8
      linalg.yield %s : i8
    }
    scf.yield %b : memref<64xi8, #s>
  }
  return
}

// -----

#s = #luna.memory<shared>
func.func @body_of_an_operator_reads_a_lost_buffer(%v: i8) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<4xi8, #s>)
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  %d = memref.alloc() {luna.place = #luna.place<id = 2, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 4) of buffer 0, which another buffer has overwritten}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%d : memref<64xi8, #s>) {
  ^bb0(%q: i8):
    %s = memref.load %a[%c0] : memref<4xi8, #s>
    linalg.yield %s : i8
  }
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @unit_reaches_into_psram(%x: memref<1x16xi8, #p>) attributes {luna.arena_bytes = 16} {
  %b = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<1x16xi8, #s>
  // expected-error @+1 {{has an operand in psram, the unit reaches shared memory only}}
  luna.add ins(%x, %x : memref<1x16xi8, #p>, memref<1x16xi8, #p>) outs(%b : memref<1x16xi8, #s>) {requant = #luna.requant<mode = shift>}
  return
}

// -----

#s = #luna.memory<shared>
#f = #luna.memory<flash>
func.func @unit_reaches_into_flash(%x: memref<1x16xi8, #f>) attributes {luna.arena_bytes = 16} {
  %b = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<1x16xi8, #s>
  // expected-error @+1 {{has an operand in flash, the unit reaches shared memory only}}
  luna.add ins(%x, %x : memref<1x16xi8, #f>, memref<1x16xi8, #f>) outs(%b : memref<1x16xi8, #s>) {requant = #luna.requant<mode = shift>}
  return
}

// -----

// What one side of a condition still holds is lost like anything else.
#s = #luna.memory<shared>
func.func @lost_on_the_side_that_had_it(%v: i8, %c: i1) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  scf.if %c {
    luna.label "if0"
  } else {
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  }
  %d = memref.alloc() {luna.place = #luna.place<id = 2, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%v : i8) outs(%d : memref<64xi8, #s>)
  scf.if %c {
    luna.label "if1"
    // expected-error @+1 {{reads bytes [0, 64) of buffer 0, which another buffer has overwritten on path if0=then/if1=then}}
    memref.copy %a, %d : memref<64xi8, #s> to memref<64xi8, #s>
  }
  return
}

// -----

// A constant is never the target of a write, not even if nothing reads it
// again: the next call does.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w : memref<32xi8, #p> = dense<1>
func.func @overwritten_constant(%x: memref<32xi8, #p>) attributes {luna.arena_bytes = 64} {
  %c16 = arith.constant 16 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %w = memref.get_global @w : memref<32xi8, #p>
  %part = memref.view %w[%c16][] : memref<32xi8, #p> to memref<16xi8, #p>
  %in = luna.dma_start %part to %a : memref<16xi8, #p> to memref<16xi8, #s>
  luna.dma_wait %in
  // expected-error @+1 {{writes bytes [16, 32) of @w, which is a constant}}
  %out = luna.dma_start %a to %part : memref<16xi8, #s> to memref<16xi8, #p>
  luna.dma_wait %out
  return
}

// -----

// On one of two paths.
#p = #luna.memory<psram>
memref.global "private" constant @w : memref<32xi8, #p> = dense<1>
func.func @overwritten_constant_on_a_path(%c: i1, %x: memref<32xi8, #p>, %y: memref<32xi8, #p>) attributes {luna.arena_bytes = 0} {
  %w = memref.get_global @w : memref<32xi8, #p>
  %to = arith.select %c, %w, %y : memref<32xi8, #p>
  // expected-error @+1 {{writes bytes [0, 32) of @w, which is a constant}}
  memref.copy %x, %to : memref<32xi8, #p> to memref<32xi8, #p>
  return
}

// -----

// expected-error @+1 {{global is not a constant; what a plan keeps between calls are arguments}}
memref.global "private" @w : memref<32xi8, #luna.memory<psram>> = dense<1>
func.func @variable() attributes {luna.arena_bytes = 0} {
  return
}

// -----

// expected-error @+1 {{global is not a constant; what a plan keeps between calls are arguments}}
memref.global "private" constant @w : memref<32xi8, #luna.memory<psram>>
func.func @constant_without_a_value() attributes {luna.arena_bytes = 0} {
  return
}

// -----

// In place, but an operand is read in another order than it is written.
#s = #luna.memory<shared>
func.func @transposed_in_place(%v: i8) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<8x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<8x8xi8, #s>)
  // expected-error @+1 {{uses buffer 0 and buffer 0 at once, which overlap}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x8xi8, #s>) outs(%a : memref<8x8xi8, #s>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  return
}

// -----

// In place, but the body loads elements that were written before.
#s = #luna.memory<shared>
func.func @reversed_in_place(%v: i8) attributes {luna.arena_bytes = 64} {
  %c63 = arith.constant 63 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  // expected-error @+1 {{uses buffer 0 and buffer 0 at once, which overlap}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : memref<64xi8, #s>) {
  ^bb0(%y: i8):
    %i = linalg.index 0 : index
    %j = arith.subi %c63, %i : index
    %x = memref.load %a[%j] : memref<64xi8, #s>
    linalg.yield %x : i8
  }
  return
}

// -----

// Elementwise ones work in place.
#s = #luna.memory<shared>
func.func @elementwise_in_place(%v: i8) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  linalg.map {arith.addi} ins(%a, %a : memref<64xi8, #s>, memref<64xi8, #s>) outs(%a : memref<64xi8, #s>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<64xi8, #s>) outs(%a : memref<64xi8, #s>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>

// Only both conditions together say that all of %a is as it was.
func.func @one_of_two_conditions(%v: i8, %c: i1, %d: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  scf.if %c {
    %x = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<32xi8, #s>
    // expected-note @+1 {{overwritten here}}
    linalg.fill ins(%v : i8) outs(%x : memref<32xi8, #s>)
  }
  scf.if %d {
    %y = memref.alloc() {luna.place = #luna.place<id = 2, offset = 32, kind = tensor>} : memref<32xi8, #s>
    linalg.fill ins(%v : i8) outs(%y : memref<32xi8, #s>)
  }
  scf.if %d {
  } else {
    // expected-error @+1 {{reads bytes [0, 32) of buffer 0, which another buffer has overwritten on path if=then/if=else}}
    %t = luna.dma_start %a to %o : memref<64xi8, #s> to memref<64xi8, #p>
    luna.dma_wait %t
  }
  return
}

// -----

// In place, but the input has fewer channels: what is written first is read
// later.
#s = #luna.memory<shared>
func.func @padded_in_place(%v: i8) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<32xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 32, kind = tensor>} : memref<4x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<32xi8, #s>)
  linalg.fill ins(%v : i8) outs(%b : memref<4x8xi8, #s>)
  %x = memref.view %a[%c0][] : memref<32xi8, #s> to memref<4x6xi8, #s>
  %o = memref.view %a[%c0][] : memref<32xi8, #s> to memref<4x8xi8, #s>
  // expected-error @+1 {{uses buffer 0 and buffer 0 at once, which overlap}}
  luna.add ins(%b, %x : memref<4x8xi8, #s>, memref<4x6xi8, #s>) outs(%o : memref<4x8xi8, #s>) {requant = #luna.requant<mode = shift>}
  return
}

// -----

// An activation may be in place, but not over its table.
#s = #luna.memory<shared>
func.func @over_its_table(%v: i8) attributes {luna.arena_bytes = 512} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<256xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 256, kind = tensor>} : memref<256xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<256xi8, #s>)
  linalg.fill ins(%v : i8) outs(%b : memref<256xi8, #s>)
  luna.table ins(%a, %b : memref<256xi8, #s>, memref<256xi8, #s>) outs(%a : memref<256xi8, #s>)
  // expected-error @+1 {{uses buffer 1 and buffer 1 at once, which overlap}}
  luna.table ins(%a, %b : memref<256xi8, #s>, memref<256xi8, #s>) outs(%b : memref<256xi8, #s>)
  return
}

// -----

// A place beyond the end is never read, nor written.
func.func @element_beyond(%y: memref<16xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 16} {
  %c16 = arith.constant 16 : index
  %v = arith.constant 1 : i8
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #luna.memory<shared>>
  // expected-error @below {{index 16 in dimension 0 of 16 elements}}
  memref.store %v, %x[%c16] : memref<16xi8, #luna.memory<shared>>
  return
}

// -----

func.func @element_before(%y: memref<16xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 0} {
  %c = arith.constant -1 : index
  // expected-error @below {{index -1 in dimension 0 of 16 elements}}
  %v = memref.load %y[%c] : memref<16xi8, #luna.memory<psram>>
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
// The rest of what the loop allocates, which nothing writes, is carried on: by the
// third iteration it is there.
func.func @undefined_in_the_third_iteration(%x: memref<64xi8, #p>, %y: memref<64xi8, #p>, %z: memref<64xi8, #p>, %n: index, %o: memref<32xi8, #p>) attributes {luna.arena_bytes = 256} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{allocated here}}
  %u = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %v = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %w = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<64xi8, #s>
  memref.copy %x, %u : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %y, %v : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %z, %w : memref<64xi8, #p> to memref<64xi8, #s>
  %xh = memref.subview %x[0] [32] [1] : memref<64xi8, #p> to memref<32xi8, strided<[1]>, #p>
  scf.for %i = %c0 to %n step %c1 {
    %f = memref.alloc() {luna.place = #luna.place<id = 3, offset = 192, kind = tensor>} : memref<64xi8, #s>
    %h = memref.subview %u[32] [32] [1] : memref<64xi8, #s> to memref<32xi8, strided<[1], offset: 32>, #s>
    // expected-error @+1 {{reads bytes [32, 64) of buffer 0, which nothing has written}}
    memref.copy %h, %o : memref<32xi8, strided<[1], offset: 32>, #s> to memref<32xi8, #p>
    memref.copy %v, %u : memref<64xi8, #s> to memref<64xi8, #s>
    memref.copy %w, %v : memref<64xi8, #s> to memref<64xi8, #s>
    %fh = memref.subview %f[0] [32] [1] : memref<64xi8, #s> to memref<32xi8, strided<[1]>, #s>
    memref.copy %xh, %fh : memref<32xi8, strided<[1]>, #p> to memref<32xi8, strided<[1]>, #s>
    memref.copy %f, %w : memref<64xi8, #s> to memref<64xi8, #s>
  }
  return
}
