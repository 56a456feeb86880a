// RUN: luna-opt %s --verify-diagnostics --split-input-file --pass-pipeline='builtin.module(func.func(luna-verify-plan))'

// Buffers that branches and loops exchange.

// -----

// Two buffers that a branch exchanges: the one is read, the other written.
#s = #luna.memory<shared>
func.func @exchanged(%v: i8, %c: i1) attributes {luna.arena_bytes = 128} {
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<64xi8, #s>)
  %r:2 = scf.if %c -> (memref<64xi8, #s>, memref<64xi8, #s>) {
    memref.copy %p, %q : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %q, %p : memref<64xi8, #s>, memref<64xi8, #s>
  } else {
    scf.yield %p, %q : memref<64xi8, #s>, memref<64xi8, #s>
  }
  memref.copy %r#0, %r#1 : memref<64xi8, #s> to memref<64xi8, #s>
  %t = arith.select %c, %r#0, %r#1 : memref<64xi8, #s>
  %u = arith.select %c, %r#1, %r#0 : memref<64xi8, #s>
  memref.copy %t, %u : memref<64xi8, #s> to memref<64xi8, #s>
  memref.copy %r#1, %r#0 : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

// One of the branches gives the free buffer twice.
#s = #luna.memory<shared>
func.func @given_twice(%v: i8, %c: i1) attributes {luna.arena_bytes = 128} {
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<8x8xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<8x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<8x8xi8, #s>)
  %r:2 = scf.if %c -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
    memref.copy %p, %q : memref<8x8xi8, #s> to memref<8x8xi8, #s>
    scf.yield %q, %q : memref<8x8xi8, #s>, memref<8x8xi8, #s>
  } else {
    scf.yield %p, %q : memref<8x8xi8, #s>, memref<8x8xi8, #s>
  }
  // expected-error @+1 {{uses buffer 1 and buffer 1 at once, which overlap}}
  linalg.transpose ins(%r#0 : memref<8x8xi8, #s>) outs(%r#1 : memref<8x8xi8, #s>) permutation = [1, 0]
  return
}

// -----

// The free buffer lies at bytes that the value has.
#s = #luna.memory<shared>
func.func @overlapping(%v: i8, %c: i1) attributes {luna.arena_bytes = 112} {
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 48, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<64xi8, #s>)
  %r:2 = scf.if %c -> (memref<64xi8, #s>, memref<64xi8, #s>) {
    linalg.fill ins(%v : i8) outs(%q : memref<64xi8, #s>)
    scf.yield %q, %p : memref<64xi8, #s>, memref<64xi8, #s>
  } else {
    scf.yield %p, %q : memref<64xi8, #s>, memref<64xi8, #s>
  }
  // expected-error @+1 {{uses buffer 1 and buffer 0 at once, which overlap}}
  memref.copy %r#0, %r#1 : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

// A loop that exchanges its buffers in some turns; the free one is never read
// before it is written.
#s = #luna.memory<shared>
func.func @carried(%v: i8, %c: i1, %n: index) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<64xi8, #s>)
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (memref<64xi8, #s>, memref<64xi8, #s>) {
    %r:2 = scf.if %c -> (memref<64xi8, #s>, memref<64xi8, #s>) {
      memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
      scf.yield %b, %a : memref<64xi8, #s>, memref<64xi8, #s>
    } else {
      scf.yield %a, %b : memref<64xi8, #s>, memref<64xi8, #s>
    }
    memref.copy %r#0, %r#1 : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %r#1, %r#0 : memref<64xi8, #s>, memref<64xi8, #s>
  }
  memref.copy %l#0, %l#1 : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

// The same, but after the first turn both are one.
#s = #luna.memory<shared>
func.func @carried_as_one(%v: i8, %n: index) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<64xi8, #s>)
  linalg.fill ins(%v : i8) outs(%q : memref<64xi8, #s>)
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (memref<64xi8, #s>, memref<64xi8, #s>) {
    // expected-error @+1 {{uses buffer 0 and buffer 1 at once, which overlap}}
    linalg.transpose ins(%a : memref<64xi8, #s>) outs(%b : memref<64xi8, #s>) permutation = [0]
    scf.yield %b, %b : memref<64xi8, #s>, memref<64xi8, #s>
  }
  return
}

// -----

// The exchange as selects before the branches, as canonicalize makes it: what
// is written through one name is written through the other.
#s = #luna.memory<shared>
func.func @selected_before(%v: i8, %c: i1, %d: i1) attributes {luna.arena_bytes = 128} {
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<64xi8, #s>)
  %r = arith.select %c, %q, %p : memref<64xi8, #s>
  %f = arith.select %c, %p, %q : memref<64xi8, #s>
  scf.if %c {
    memref.copy %p, %q : memref<64xi8, #s> to memref<64xi8, #s>
  }
  %t = arith.select %d, %f, %r : memref<64xi8, #s>
  %g = arith.select %d, %r, %f : memref<64xi8, #s>
  scf.if %d {
    memref.copy %r, %f : memref<64xi8, #s> to memref<64xi8, #s>
  }
  memref.copy %t, %g : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

// The same without the second write.
#s = #luna.memory<shared>
func.func @selected_in_vain(%v: i8, %c: i1, %d: i1) attributes {luna.arena_bytes = 128} {
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{allocated here}}
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<64xi8, #s>)
  %r = arith.select %c, %q, %p : memref<64xi8, #s>
  %f = arith.select %c, %p, %q : memref<64xi8, #s>
  scf.if %c {
    memref.copy %p, %q : memref<64xi8, #s> to memref<64xi8, #s>
  }
  %t = arith.select %d, %f, %r : memref<64xi8, #s>
  %g = arith.select %d, %r, %f : memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 64) of buffer 1, which nothing has written}}
  memref.copy %t, %g : memref<64xi8, #s> to memref<64xi8, #s>
  return
}

// -----

// Three buffers that turn, two of which a branch exchanges in some turns: what
// the branch yields lies apart from the third.
#s = #luna.memory<shared>
func.func @turned(%v: i8, %n: index) attributes {luna.arena_bytes = 192} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %r = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<64xi8, #s>)
  linalg.fill ins(%v : i8) outs(%q : memref<64xi8, #s>)
  %l:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q, %f = %r) -> (memref<64xi8, #s>, memref<64xi8, #s>, memref<64xi8, #s>) {
    %bit = arith.andi %i, %c1 : index
    %c = arith.cmpi eq, %bit, %c1 : index
    %s:2 = scf.if %c -> (memref<64xi8, #s>, memref<64xi8, #s>) {
      memref.copy %b, %f : memref<64xi8, #s> to memref<64xi8, #s>
      scf.yield %f, %b : memref<64xi8, #s>, memref<64xi8, #s>
    } else {
      scf.yield %b, %f : memref<64xi8, #s>, memref<64xi8, #s>
    }
    memref.copy %s#0, %s#1 : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %s#1, %a, %s#0 : memref<64xi8, #s>, memref<64xi8, #s>, memref<64xi8, #s>
  }
  return
}

// -----

// The third is one of the two in some turns.
#s = #luna.memory<shared>
func.func @not_turned(%v: i8, %c: i1, %n: index) attributes {luna.arena_bytes = 192} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<8x8xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<8x8xi8, #s>
  %r = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<8x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<8x8xi8, #s>)
  linalg.fill ins(%v : i8) outs(%q : memref<8x8xi8, #s>)
  linalg.fill ins(%v : i8) outs(%r : memref<8x8xi8, #s>)
  %l:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q, %f = %r) -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
    %s:2 = scf.if %c -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
      scf.yield %a, %b : memref<8x8xi8, #s>, memref<8x8xi8, #s>
    } else {
      scf.yield %b, %f : memref<8x8xi8, #s>, memref<8x8xi8, #s>
    }
    // expected-error @+1 {{at once, which overlap}}
    linalg.transpose ins(%b : memref<8x8xi8, #s>) outs(%f : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %s#1, %a, %s#0 : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  }
  return
}

// -----

// A transfer into one of two exchanged buffers, which is the other in the next
// turn.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @in_flight(%v: i8, %x: memref<64xi8, #p>, %n: index) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %q = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%p : memref<64xi8, #s>)
  linalg.fill ins(%v : i8) outs(%q : memref<64xi8, #s>)
  %t = luna.dma_none
  %l:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q, %k = %t) -> (memref<64xi8, #s>, memref<64xi8, #s>, !luna.token) {
    // expected-error @+1 {{of buffer 0 while a transfer into them is in flight}}
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
    luna.dma_wait %k
    // expected-note @+1 {{started here}}
    %u = luna.dma_start %x to %b : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %b, %a, %u : memref<64xi8, #s>, memref<64xi8, #s>, !luna.token
  }
  luna.dma_wait %l#2
  return
}

// -----

// Behind a value that stays, two buffers take turns. A branch that writes both
// passes one of them on.
#s = #luna.memory<shared>
func.func @turns(%v: i8, %c: i1, %d: i1) attributes {luna.arena_bytes = 192} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<8x8xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<8x8xi8, #s>
  %z = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<8x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<8x8xi8, #s>)
  %r:3 = scf.if %c -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
    linalg.transpose ins(%x : memref<8x8xi8, #s>) outs(%y : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %y, %z, %y : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  } else {
    scf.yield %x, %y, %z : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  }
  %s:3 = scf.if %d -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
    linalg.transpose ins(%r#0 : memref<8x8xi8, #s>) outs(%r#1 : memref<8x8xi8, #s>) permutation = [1, 0]
    linalg.transpose ins(%r#1 : memref<8x8xi8, #s>) outs(%r#2 : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %r#2, %r#1, %r#2 : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  } else {
    scf.yield %r#0, %r#1, %r#2 : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  }
  linalg.transpose ins(%s#0 : memref<8x8xi8, #s>) outs(%s#1 : memref<8x8xi8, #s>) permutation = [1, 0]
  linalg.transpose ins(%s#1 : memref<8x8xi8, #s>) outs(%s#0 : memref<8x8xi8, #s>) permutation = [1, 0]
  return
}

// -----

// The branch leaves the value in the buffer that is written next.
#s = #luna.memory<shared>
func.func @turns_once(%v: i8, %c: i1, %d: i1) attributes {luna.arena_bytes = 192} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<8x8xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<8x8xi8, #s>
  %z = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<8x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<8x8xi8, #s>)
  %r:3 = scf.if %c -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
    linalg.transpose ins(%x : memref<8x8xi8, #s>) outs(%y : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %y, %z, %y : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  } else {
    scf.yield %x, %y, %z : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  }
  %s:3 = scf.if %d -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
    linalg.transpose ins(%r#0 : memref<8x8xi8, #s>) outs(%r#1 : memref<8x8xi8, #s>) permutation = [1, 0]
    linalg.transpose ins(%r#1 : memref<8x8xi8, #s>) outs(%r#2 : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %r#1, %r#1, %r#2 : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  } else {
    scf.yield %r#0, %r#1, %r#2 : memref<8x8xi8, #s>, memref<8x8xi8, #s>, memref<8x8xi8, #s>
  }
  // expected-error @+1 {{uses buffer 2 and buffer 2 at once, which overlap}}
  linalg.transpose ins(%s#0 : memref<8x8xi8, #s>) outs(%s#1 : memref<8x8xi8, #s>) permutation = [1, 0]
  return
}

// -----

// A branch recomputes or passes on what another one exchanged: neither is the
// buffer that the first one left free.
#s = #luna.memory<shared>
func.func @left_free(%v: i8, %c: i1, %d: i1) attributes {luna.arena_bytes = 192} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<8x8xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<8x8xi8, #s>
  %z = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<8x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<8x8xi8, #s>)
  %r:2 = scf.if %c -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
    linalg.transpose ins(%x : memref<8x8xi8, #s>) outs(%y : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %y, %x : memref<8x8xi8, #s>, memref<8x8xi8, #s>
  } else {
    scf.yield %x, %y : memref<8x8xi8, #s>, memref<8x8xi8, #s>
  }
  %s = scf.if %d -> (memref<8x8xi8, #s>) {
    linalg.transpose ins(%r#0 : memref<8x8xi8, #s>) outs(%z : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %z : memref<8x8xi8, #s>
  } else {
    scf.yield %r#0 : memref<8x8xi8, #s>
  }
  linalg.transpose ins(%s : memref<8x8xi8, #s>) outs(%r#1 : memref<8x8xi8, #s>) permutation = [1, 0]
  return
}

// -----

// The other one of them.
#s = #luna.memory<shared>
func.func @not_left_free(%v: i8, %c: i1, %d: i1) attributes {luna.arena_bytes = 192} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<8x8xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<8x8xi8, #s>
  %z = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<8x8xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<8x8xi8, #s>)
  linalg.fill ins(%v : i8) outs(%y : memref<8x8xi8, #s>)
  %r:2 = scf.if %c -> (memref<8x8xi8, #s>, memref<8x8xi8, #s>) {
    linalg.transpose ins(%x : memref<8x8xi8, #s>) outs(%y : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %y, %x : memref<8x8xi8, #s>, memref<8x8xi8, #s>
  } else {
    scf.yield %x, %y : memref<8x8xi8, #s>, memref<8x8xi8, #s>
  }
  %s = scf.if %d -> (memref<8x8xi8, #s>) {
    linalg.transpose ins(%r#0 : memref<8x8xi8, #s>) outs(%z : memref<8x8xi8, #s>) permutation = [1, 0]
    scf.yield %z : memref<8x8xi8, #s>
  } else {
    scf.yield %r#1 : memref<8x8xi8, #s>
  }
  // expected-error @+1 {{uses buffer 0 and buffer 0 at once, which overlap on path if=then/if=else}}
  linalg.transpose ins(%s : memref<8x8xi8, #s>) outs(%r#1 : memref<8x8xi8, #s>) permutation = [1, 0]
  return
}
