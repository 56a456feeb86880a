// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan))' \
// RUN:   -o /dev/null
// Plans that are right, with loops. None may be refused.

#s = #luna.memory<shared>
#p = #luna.memory<psram>
#id = affine_map<(d0) -> (d0)>

// What the body makes is copied into the carried buffer.
func.func @carried_buffer_by_copy(%v: i8, %n: index, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<64xi8, #s>) {
    luna.label "loop0"
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    luna.add ins(%x, %x : memref<64xi8, #s>, memref<64xi8, #s>) outs(%b : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
    memref.copy %b, %x : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %x : memref<64xi8, #s>
  }
  %t = luna.dma_start %r to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// Two slots that change places from turn to turn.
func.func @carried_buffers_in_two_slots(%v: i8, %n: index, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<64xi8, #s>, memref<64xi8, #s>) {
    luna.add ins(%x, %x : memref<64xi8, #s>, memref<64xi8, #s>) outs(%y : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
    scf.yield %y, %x : memref<64xi8, #s>, memref<64xi8, #s>
  }
  %t = luna.dma_start %r#0 to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// The value of the body dies before the carried one is made anew in one place.
func.func @carried_value_dead_before_the_new_one(%v: i8, %n: index, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<64xi8, #s>) {
    %t = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    memref.copy %x, %t : memref<64xi8, #s> to memref<64xi8, #s>
    %b = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    memref.copy %t, %b : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %b : memref<64xi8, #s>
  }
  %t = luna.dma_start %r to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// Written piece by piece in a loop whose trips are not known.
func.func @buffer_filled_by_a_loop(%v: i8, %n: index, %o: memref<4x16xi8, #p>) attributes {luna.arena_bytes = 80} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4x16xi8, #s>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<16xi8, #s>
    linalg.fill ins(%v : i8) outs(%b : memref<16xi8, #s>)
    %w = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<4x16xi8, #s> to memref<16xi8, strided<[1], offset: ?>, #s>
    memref.copy %b, %w : memref<16xi8, #s> to memref<16xi8, strided<[1], offset: ?>, #s>
  }
  %t = luna.dma_start %a to %o : memref<4x16xi8, #s> to memref<4x16xi8, #p>
  luna.dma_wait %t
  return
}

func.func @nested_loops_and_a_branch(%v: i8, %n: index, %c: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 192} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<64xi8, #s>) {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%y = %x) -> (memref<64xi8, #s>) {
      %z = scf.if %c -> memref<64xi8, #s> {
        %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
        memref.copy %y, %b : memref<64xi8, #s> to memref<64xi8, #s>
        scf.yield %b : memref<64xi8, #s>
      } else {
        scf.yield %y : memref<64xi8, #s>
      }
      %d = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<64xi8, #s>
      memref.copy %z, %d : memref<64xi8, #s> to memref<64xi8, #s>
      memref.copy %d, %y : memref<64xi8, #s> to memref<64xi8, #s>
      scf.yield %y : memref<64xi8, #s>
    }
    scf.yield %q : memref<64xi8, #s>
  }
  %t = luna.dma_start %r to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

func.func @while_with_a_carried_buffer(%v: i8, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 144} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %r = scf.while (%x = %a) : (memref<64xi8, #s>) -> memref<64xi8, #s> {
    luna.label "loop0"
    %e = memref.load %x[%c0] : memref<64xi8, #s>
    %c = arith.cmpi sgt, %e, %v : i8
    scf.condition(%c) %x : memref<64xi8, #s>
  } do {
  ^bb0(%x: memref<64xi8, #s>):
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    luna.add ins(%x, %x : memref<64xi8, #s>, memref<64xi8, #s>) outs(%b : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
    memref.copy %b, %x : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %x : memref<64xi8, #s>
  }
  %t = luna.dma_start %r to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// Each turn waits for what the turn before has started.
func.func @prefetch_from_turn_to_turn(%w: memref<64xi8, #p>, %n: index) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> (!luna.token) {
    luna.dma_wait %u
    luna.add ins(%a, %a : memref<64xi8, #s>, memref<64xi8, #s>) outs(%b : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
    %x = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %x : !luna.token
  }
  luna.dma_wait %r
  return
}

func.func @token_through_a_while(%w: memref<64xi8, #p>, %v: i8) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  %r = scf.while (%u = %t) : (!luna.token) -> !luna.token {
    luna.dma_wait %u
    %e = memref.load %a[%c0] : memref<64xi8, #s>
    %c = arith.cmpi sgt, %e, %v : i8
    %x = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    scf.condition(%c) %x : !luna.token
  } do {
  ^bb0(%u: !luna.token):
    luna.dma_wait %u
    %x = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %x : !luna.token
  }
  luna.dma_wait %r
  return
}

// A loop that the plan does not know: its body may run any number of times.
func.func @loop_of_another_kind(%v: i8, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  affine.for %i = 0 to 64 {
    affine.store %v, %a[%i] : memref<64xi8, #s>
  }
  %t = luna.dma_start %a to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// What each iteration reads is written in all of them, beside what is not.
func.func @defined_in_each_iteration(%x: memref<64xi8, #p>, %y: memref<64xi8, #p>, %z: memref<64xi8, #p>, %n: index, %o: memref<32xi8, #p>) attributes {luna.arena_bytes = 256} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %v = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %w = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<64xi8, #s>
  memref.copy %x, %u : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %y, %v : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %z, %w : memref<64xi8, #p> to memref<64xi8, #s>
  %xh = memref.subview %x[0] [32] [1] : memref<64xi8, #p> to memref<32xi8, strided<[1]>, #p>
  scf.for %i = %c0 to %n step %c1 {
    %f = memref.alloc() {luna.place = #luna.place<id = 3, offset = 192, kind = tensor>} : memref<64xi8, #s>
    %h = memref.subview %u[0] [32] [1] : memref<64xi8, #s> to memref<32xi8, strided<[1]>, #s>
    memref.copy %h, %o : memref<32xi8, strided<[1]>, #s> to memref<32xi8, #p>
    memref.copy %v, %u : memref<64xi8, #s> to memref<64xi8, #s>
    memref.copy %w, %v : memref<64xi8, #s> to memref<64xi8, #s>
    %fh = memref.subview %f[0] [32] [1] : memref<64xi8, #s> to memref<32xi8, strided<[1]>, #s>
    memref.copy %xh, %fh : memref<32xi8, strided<[1]>, #p> to memref<32xi8, strided<[1]>, #s>
    memref.copy %f, %w : memref<64xi8, #s> to memref<64xi8, #s>
  }
  return
}

// What is never reached accesses nothing.
func.func @outside_where_never_reached(%x: memref<8xi8, #p>, %o: memref<8xi8, #p>) attributes {luna.arena_bytes = 16} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %far = arith.constant 4096 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  scf.while (%i = %c0) : (index) -> index {
    %m = arith.cmpi slt, %i, %c0 : index
    scf.condition(%m) %c0 : index
  } do {
  ^bb0(%i: index):
    %v = memref.view %a[%far][] : memref<16xi8, #s> to memref<8xi8, #s>
    memref.copy %x, %v : memref<8xi8, #p> to memref<8xi8, #s>
    memref.copy %v, %o : memref<8xi8, #s> to memref<8xi8, #p>
    scf.yield %c0 : index
  }
  return
}
