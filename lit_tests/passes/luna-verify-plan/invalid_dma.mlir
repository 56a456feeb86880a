// RUN: luna-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan))'
// Transfers: sizes, contents, and each token awaited exactly once.

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @size_no_multiple_of_the_granule(%w: memref<62xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<62xi8, #s>
  // expected-error @+1 {{transfers 62 bytes, needs a multiple of 4}}
  %t = luna.dma_start %w to %a : memref<62xi8, #p> to memref<62xi8, #s>
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @address_no_multiple_of_the_granule(%w: memref<32xi8, #p>) attributes {luna.arena_bytes = 64} {
  %c6 = arith.constant 6 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.view %a[%c6][] : memref<64xi8, #s> to memref<32xi8, #s>
  // expected-error @+1 {{transfers from or to byte 6 of buffer 0, needs an address that is a multiple of 4}}
  %t = luna.dma_start %w to %b : memref<32xi8, #p> to memref<32xi8, #s>
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @staging_buffer_too_small(%w: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = staging>} : memref<48xi8, #s>
  %b = memref.view %a[%c0][] : memref<48xi8, #s> to memref<64xi8, #s>
  // expected-error @+1 {{accesses bytes [0, 64) of buffer 0, which has 48}}
  %t = luna.dma_start %w to %b : memref<64xi8, #p> to memref<64xi8, #s>
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w : memref<32xi8, #p> = dense<1>
func.func @transfer_beyond_its_source() attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %g = memref.get_global @w : memref<32xi8, #p>
  %w = memref.view %g[%c0][] : memref<32xi8, #p> to memref<64xi8, #p>
  // expected-error @+1 {{accesses bytes [0, 64) of @w, which has 32}}
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @never_waited_for(%w: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{is never awaited}}
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-note @+1 {{still in flight here}}
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @never_waited_for_in_a_branch(%w: memref<64xi8, #p>, %c: i1) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{still in flight here}}
  scf.if %c {
    luna.label "if0"
  } else {
    // expected-error @+1 {{is never awaited on path if0=else}}
    %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  }
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @waited_for_twice(%w: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-note @+1 {{awaited or forwarded here}}
  luna.dma_wait %t
  // expected-error @+1 {{awaits a transfer that was already awaited or forwarded}}
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @waited_for_in_one_branch(%w: memref<64xi8, #p>, %c: i1) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-error @+1 {{a transfer is awaited in some branches only}}
  scf.if %c {
    // expected-note @+1 {{awaited or forwarded here}}
    luna.dma_wait %t
  }
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @waited_for_in_a_loop(%w: memref<64xi8, #p>, %n: index) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-error @+1 {{a transfer started before this loop is awaited in it, once per iteration}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-note @+1 {{awaited or forwarded here}}
    luna.dma_wait %t
  }
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @passed_on_after_its_wait(%w: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %r = luna.region 0 -> !luna.token {
    %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    // expected-note @+1 {{awaited or forwarded here}}
    luna.dma_wait %t
    // expected-error @+1 {{forwards a token that was already awaited or forwarded}}
    luna.yield %t : !luna.token
  }
  luna.dma_wait %r
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @token_selected(%w: memref<64xi8, #p>, %c: i1) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %n = luna.dma_none
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-error @+1 {{uses a token, which only luna.dma_wait and control flow may}}
  %r = arith.select %c, %t, %n : !luna.token
  luna.dma_wait %r
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @read_before_the_wait(%w: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{started here}}
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-error @+1 {{reads bytes [0, 64) of buffer 0 while a transfer into them is in flight}}
  memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @write_of_another_buffer_into_bytes_in_flight(%w: memref<64xi8, #p>, %v: i8) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 48, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{started here}}
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-error @+1 {{writes bytes [0, 64) of buffer 1 while a transfer into them is in flight}}
  linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @write_of_a_source_in_flight(%o: memref<64xi8, #p>, %v: i8, %c: i1) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  %t = scf.if %c -> !luna.token {
    luna.label "if0"
    // expected-note @+1 {{started here}}
    %u = luna.dma_start %a to %o : memref<64xi8, #s> to memref<64xi8, #p>
    scf.yield %u : !luna.token
  } else {
    %u = luna.dma_none
    scf.yield %u : !luna.token
  }
  // expected-error @+1 {{writes bytes [0, 64) of buffer 0 while a transfer out of them is in flight on path if0=then}}
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @two_transfers_in_flight(%w: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  // expected-note @+1 {{still in flight from here}}
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-error @+1 {{makes 2 transfers in flight, machine 'venus' allows 1}}
  %u = luna.dma_start %w to %b : memref<64xi8, #p> to memref<64xi8, #s>
  luna.dma_wait %t
  luna.dma_wait %u
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w0 : memref<256xi8, #p> = dense<1>
memref.global "private" constant @w1 : memref<256xi8, #p> = dense<1>
func.func @constants_of_another_operator(%v: i8) attributes {luna.arena_bytes = 384} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %a = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = staging>} : memref<256xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %g0 = memref.get_global @w0 : memref<256xi8, #p>
  %g1 = memref.get_global @w1 : memref<256xi8, #p>
  %t0 = luna.dma_start %g0 to %a : memref<256xi8, #p> to memref<256xi8, #s>
  luna.dma_wait %t0
  %t1 = luna.dma_start %g1 to %a : memref<256xi8, #p> to memref<256xi8, #s>
  luna.dma_wait %t1
  // expected-error @+1 {{reads bytes [0, 256) of buffer 2, last filled from @w1, where its constants are @w0}}
  luna.table ins(%x, %a : memref<64xi8, #s>, memref<256xi8, #s>) outs(%y : memref<64xi8, #s>) {params = @w0}
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w0 : memref<256xi8, #p> = dense<1>
memref.global "private" constant @w1 : memref<256xi8, #p> = dense<1>
func.func @constants_differ_by_path(%v: i8, %c: i1) attributes {luna.arena_bytes = 384} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %a = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = staging>} : memref<256xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %g0 = memref.get_global @w0 : memref<256xi8, #p>
  %g1 = memref.get_global @w1 : memref<256xi8, #p>
  %t = scf.if %c -> !luna.token {
    %t0 = luna.dma_start %g0 to %a : memref<256xi8, #p> to memref<256xi8, #s>
    scf.yield %t0 : !luna.token
  } else {
    %t1 = luna.dma_start %g1 to %a : memref<256xi8, #p> to memref<256xi8, #s>
    scf.yield %t1 : !luna.token
  }
  luna.dma_wait %t
  // expected-error @+1 {{reads bytes [0, 256) of buffer 2, filled from different places, where its constants are @w0}}
  luna.table ins(%x, %a : memref<64xi8, #s>, memref<256xi8, #s>) outs(%y : memref<64xi8, #s>) {params = @w0}
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w0 : memref<256xi8, #p> = dense<1>
func.func @constants_that_no_transfer_brought(%v: i8) attributes {luna.arena_bytes = 384} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %a = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = staging>} : memref<256xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  linalg.fill ins(%v : i8) outs(%a : memref<256xi8, #s>)
  // expected-error @+1 {{reads bytes [0, 256) of buffer 2, filled by no transfer, where its constants are @w0}}
  luna.table ins(%x, %a : memref<64xi8, #s>, memref<256xi8, #s>) outs(%y : memref<64xi8, #s>) {params = @w0}
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w0 : memref<256xi8, #p> = dense<1>
func.func @constants_without_a_name(%v: i8) attributes {luna.arena_bytes = 384} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %a = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = staging>} : memref<256xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %g0 = memref.get_global @w0 : memref<256xi8, #p>
  %t0 = luna.dma_start %g0 to %a : memref<256xi8, #p> to memref<256xi8, #s>
  luna.dma_wait %t0
  // expected-error @+1 {{reads bytes [0, 256) of buffer 2, last filled from @w0, and names no constants}}
  luna.table ins(%x, %a : memref<64xi8, #s>, memref<256xi8, #s>) outs(%y : memref<64xi8, #s>)
  return
}

// -----

#s = #luna.memory<shared>
func.func @constants_not_read_at_all(%v: i8) attributes {luna.arena_bytes = 384} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  // expected-error @+1 {{names its constants @w0 but reads nothing transferred from there}}
  luna.add ins(%x, %x : memref<64xi8, #s>, memref<64xi8, #s>) outs(%y : memref<64xi8, #s>) {params = @w0, requant = #luna.requant<mode = shift>}
  return
}

// -----

// Half of the constants are those of the operator before.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w0 : memref<256xi8, #p> = dense<1>
memref.global "private" constant @w1 : memref<128xi8, #p> = dense<1>
func.func @constants_partly_overwritten(%v: i8) attributes {luna.arena_bytes = 384} {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %a = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = staging>} : memref<256xi8, #s>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
  %g0 = memref.get_global @w0 : memref<256xi8, #p>
  %g1 = memref.get_global @w1 : memref<128xi8, #p>
  %t0 = luna.dma_start %g0 to %a : memref<256xi8, #p> to memref<256xi8, #s>
  luna.dma_wait %t0
  %b = memref.view %a[%c0][] : memref<256xi8, #s> to memref<128xi8, #s>
  %t1 = luna.dma_start %g1 to %b : memref<128xi8, #p> to memref<128xi8, #s>
  luna.dma_wait %t1
  // expected-error @+1 {{reads bytes [0, 256) of buffer 2, filled from different places, where its constants are @w0}}
  luna.table ins(%x, %a : memref<64xi8, #s>, memref<256xi8, #s>) outs(%y : memref<64xi8, #s>) {params = @w0}
  return
}

// -----

// The token of the loop's last turn is dropped.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @token_left_behind_by_a_loop(%w: memref<64xi8, #p>, %n: index) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{is never awaited}}
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> (!luna.token) {
    luna.dma_wait %u
    %x = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %x : !luna.token
  }
  // expected-note @+1 {{still in flight here}}
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @carried_token_overwritten(%w: memref<64xi8, #p>, %n: index) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  // expected-error @+1 {{is never awaited}}
  %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> (!luna.token) {
    %x = luna.dma_none
    // expected-note @+1 {{still in flight here}}
    scf.yield %x : !luna.token
  }
  luna.dma_wait %r
  return
}
