// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan))' \
// RUN:   -o /dev/null
// Plans that are right, with branches. None may be refused.

#s = #luna.memory<shared>
#p = #luna.memory<psram>

// Both branches yield buffers of one id; the result is used after a second
// branch whose own buffers lie elsewhere.
func.func @two_ifs_in_a_row(%v: i8, %c: i1, %d: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 192} {
  %r = scf.if %c -> memref<64xi8, #s> {
    luna.label "if0"
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
    scf.yield %a : memref<64xi8, #s>
  } else {
    %t = memref.alloc() {luna.place = #luna.place<id = 5, offset = 64, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%t : memref<64xi8, #s>)
    %b = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    memref.copy %t, %b : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %b : memref<64xi8, #s>
  }
  %q = scf.if %d -> memref<64xi8, #s> {
    luna.label "if1"
    %a = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    memref.copy %r, %a : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %a : memref<64xi8, #s>
  } else {
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
    scf.yield %b : memref<64xi8, #s>
  }
  %e = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<64xi8, #s>
  luna.add ins(%r, %q : memref<64xi8, #s>, memref<64xi8, #s>) outs(%e : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
  %t = luna.dma_start %e to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

func.func @nested_ifs_share_bytes_across_branches(%v: i8, %c: i1, %d: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %r = scf.if %c -> memref<64xi8, #s> {
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
    %q = scf.if %d -> memref<64xi8, #s> {
      %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
      memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
      scf.yield %b : memref<64xi8, #s>
    } else {
      %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
      linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
      scf.yield %b : memref<64xi8, #s>
    }
    scf.yield %q : memref<64xi8, #s>
  } else {
    // Lies where the other branch keeps its first buffer.
    %x = memref.alloc() {luna.place = #luna.place<id = 2, offset = 0, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    memref.copy %x, %b : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %b : memref<64xi8, #s>
  }
  %t = luna.dma_start %r to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// The else is missing; what is live across the branch stays.
func.func @value_alive_across_an_if_without_else(%v: i8, %c: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  scf.if %c {
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
    luna.add ins(%a, %b : memref<64xi8, #s>, memref<64xi8, #s>) outs(%a : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
  }
  %t = luna.dma_start %a to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

func.func @both_branches_yield_the_same_outer_buffer(%v: i8, %c: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %r = scf.if %c -> memref<64xi8, #s> {
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
    scf.yield %a : memref<64xi8, #s>
  } else {
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
    scf.yield %a : memref<64xi8, #s>
  }
  %t = luna.dma_start %r to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// A skipped block: the outer buffer is dead in the branch that computes, and
// its bytes are taken there.
func.func @branch_yields_outer_buffer_and_reuses_its_bytes(%v: i8, %c: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %r = scf.if %c -> memref<64xi8, #s> {
    %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    memref.copy %x, %y : memref<64xi8, #s> to memref<64xi8, #s>
    %z = memref.alloc() {luna.place = #luna.place<id = 2, offset = 0, kind = tensor>} : memref<64xi8, #s>
    memref.copy %y, %z : memref<64xi8, #s> to memref<64xi8, #s>
    luna.add ins(%z, %z : memref<64xi8, #s>, memref<64xi8, #s>) outs(%y : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
    scf.yield %y : memref<64xi8, #s>
  } else {
    scf.yield %x : memref<64xi8, #s>
  }
  %t = luna.dma_start %r to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// One condition decides whether the first half of %a is lost, another whether
// the second is.
func.func @two_conditions(%v: i8, %c: i1, %d: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  scf.if %c {
    %x = memref.alloc() {luna.place = #luna.place<id = 1, offset = 0, kind = tensor>} : memref<32xi8, #s>
    linalg.fill ins(%v : i8) outs(%x : memref<32xi8, #s>)
  }
  scf.if %d {
    %y = memref.alloc() {luna.place = #luna.place<id = 2, offset = 32, kind = tensor>} : memref<32xi8, #s>
    linalg.fill ins(%v : i8) outs(%y : memref<32xi8, #s>)
  }
  scf.if %d {
  } else {
    scf.if %c {
    } else {
      %t = luna.dma_start %a to %o : memref<64xi8, #s> to memref<64xi8, #p>
      luna.dma_wait %t
    }
  }
  scf.if %c {
  } else {
    scf.if %d {
    } else {
      %u = luna.dma_start %a to %o : memref<64xi8, #s> to memref<64xi8, #p>
      luna.dma_wait %u
    }
  }
  return
}

// Canonicalisation turns an if that yields outer buffers into a select; the
// branch that fills the first one has the same condition.
func.func @select_by_the_condition_of_a_branch(%v: i8, %n: i8, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %0:3 = luna.region 0 -> i1, memref<64xi8, #s>, memref<64xi8, #s> {
    %c = arith.cmpi sgt, %v, %n : i8
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
    %s = arith.select %c, %a, %b : memref<64xi8, #s>
    luna.yield %c, %a, %s : i1, memref<64xi8, #s>, memref<64xi8, #s>
  }
  scf.if %0#0 {
    linalg.fill ins(%v : i8) outs(%0#1 : memref<64xi8, #s>)
  }
  %t = luna.dma_start %0#2 to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

func.func @select_after_the_branch(%v: i8, %c: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  scf.if %c {
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  } else {
    linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  }
  %s = arith.select %c, %a, %b : memref<64xi8, #s>
  %t = luna.dma_start %s to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

func.func @two_branches_on_one_condition(%v: i8, %c: i1, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  scf.if %c {
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  }
  scf.if %c {
    %t = luna.dma_start %a to %o : memref<64xi8, #s> to memref<64xi8, #p>
    luna.dma_wait %t
  }
  return
}

func.func @switch_with_a_result(%v: i8, %i: index, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %r = scf.index_switch %i -> memref<64xi8, #s>
  case 0 {
    luna.label "if0"
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
    scf.yield %a : memref<64xi8, #s>
  }
  case 4 {
    %t = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%t : memref<64xi8, #s>)
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    memref.copy %t, %a : memref<64xi8, #s> to memref<64xi8, #s>
    scf.yield %a : memref<64xi8, #s>
  }
  default {
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
    scf.yield %a : memref<64xi8, #s>
  }
  %t = luna.dma_start %r to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}
