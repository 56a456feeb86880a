// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/<outstanding value="8"/<outstanding value="1"/' %luna_machines/venus.xml > %t/one.xml
// RUN: luna-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan{machine=%t/one.xml}))'
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

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
// Data decides which of both the next iteration has as its first: the transfer
// may be into either.
func.func @carried_on_as_one_of_two(%w: memref<64xi8, #p>, %n: index, %c: memref<i1, #p>, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  memref.copy %w, %a : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %w, %b : memref<64xi8, #p> to memref<64xi8, #s>
  %z = luna.dma_none
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %t = %z) -> (memref<64xi8, #s>, memref<64xi8, #s>, !luna.token) {
    // expected-error @+1 {{reads bytes [0, 64) of buffer 1 while a transfer into them is in flight}}
    memref.copy %y, %o : memref<64xi8, #s> to memref<64xi8, #p>
    luna.dma_wait %t
    // expected-note @+1 {{started here}}
    %u = luna.dma_start %w to %x : memref<64xi8, #p> to memref<64xi8, #s>
    %h = memref.load %c[] : memref<i1, #p>
    %f = arith.select %h, %x, %y : memref<64xi8, #s>
    %g = arith.select %h, %y, %x : memref<64xi8, #s>
    scf.yield %f, %g, %u : memref<64xi8, #s>, memref<64xi8, #s>, !luna.token
  }
  luna.dma_wait %r#2
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
// The same: the transfer may be into any place that the first had.
func.func @carried_on_at_any_place(%w: memref<64xi8, #p>, %n: index, %c: memref<i1, #p>, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  memref.copy %w, %a : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %w, %b : memref<64xi8, #p> to memref<64xi8, #s>
  %z = luna.dma_none
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %t = %z) -> (memref<64xi8, #s>, memref<64xi8, #s>, !luna.token) {
    // expected-error @+1 {{writes bytes [0, 64) of buffer 1 while a transfer into them is in flight}}
    memref.copy %w, %b : memref<64xi8, #p> to memref<64xi8, #s>
    luna.dma_wait %t
    // expected-note @+1 {{started here}}
    %u = luna.dma_start %w to %x : memref<64xi8, #p> to memref<64xi8, #s>
    %h = memref.load %c[] : memref<i1, #p>
    %f = arith.select %h, %x, %y : memref<64xi8, #s>
    %g = arith.select %h, %y, %x : memref<64xi8, #s>
    scf.yield %f, %g, %u : memref<64xi8, #s>, memref<64xi8, #s>, !luna.token
  }
  luna.dma_wait %r#2
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
// The condition of this iteration says nothing of the transfer of the last one.
func.func @started_under_the_last_condition(%w: memref<64xi8, #p>, %n: index, %f: memref<64xi1, #p>, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  memref.copy %w, %a : memref<64xi8, #p> to memref<64xi8, #s>
  %z = luna.dma_none
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> (!luna.token) {
    %h = memref.load %f[%i] : memref<64xi1, #p>
    scf.if %h {
    } else {
      // expected-error @+1 {{reads bytes [0, 64) of buffer 0 while a transfer into them is in flight}}
      memref.copy %a, %o : memref<64xi8, #s> to memref<64xi8, #p>
    }
    luna.dma_wait %t
    %u = scf.if %h -> !luna.token {
      // expected-note @+1 {{started here}}
      %x = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
      scf.yield %x : !luna.token
    } else {
      %x = luna.dma_none
      scf.yield %x : !luna.token
    }
    scf.yield %u : !luna.token
  }
  luna.dma_wait %r
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
// The loop exchanges two other buffers.
func.func @in_flight_into_what_is_not_carried(%w: memref<64xi8, #p>, %n: index, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 192} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %c = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<64xi8, #s>
  memref.copy %w, %a : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %w, %b : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-note @+1 {{started here}}
  %t = luna.dma_start %w to %c : memref<64xi8, #p> to memref<64xi8, #s>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<64xi8, #s>, memref<64xi8, #s>) {
    // expected-error @+1 {{reads bytes [0, 64) of buffer 2 while a transfer into them is in flight}}
    memref.copy %c, %o : memref<64xi8, #s> to memref<64xi8, #p>
    scf.yield %y, %x : memref<64xi8, #s>, memref<64xi8, #s>
  }
  luna.dma_wait %t
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
// In the second iteration the transfer is into the other one.
func.func @in_flight_into_what_is_exchanged(%w: memref<64xi8, #p>, %n: index, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  memref.copy %w, %b : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-note @+1 {{started here}}
  %s = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %t = %s) -> (memref<64xi8, #s>, memref<64xi8, #s>, !luna.token) {
    // expected-error @+1 {{reads bytes [0, 64) of buffer 1 while a transfer into them is in flight}}
    memref.copy %y, %o : memref<64xi8, #s> to memref<64xi8, #p>
    scf.yield %y, %x, %t : memref<64xi8, #s>, memref<64xi8, #s>, !luna.token
  }
  luna.dma_wait %r#2
  return
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>
// In the second iteration the transfer is out of the other one.
func.func @in_flight_out_of_what_is_exchanged(%w: memref<64xi8, #p>, %n: index, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  memref.copy %w, %a : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %w, %b : memref<64xi8, #p> to memref<64xi8, #s>
  // expected-note @+1 {{started here}}
  %s = luna.dma_start %a to %o : memref<64xi8, #s> to memref<64xi8, #p>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %t = %s) -> (memref<64xi8, #s>, memref<64xi8, #s>, !luna.token) {
    // expected-error @+1 {{writes bytes [0, 64) of buffer 1 while a transfer out of them is in flight}}
    memref.copy %w, %y : memref<64xi8, #p> to memref<64xi8, #s>
    scf.yield %y, %x, %t : memref<64xi8, #s>, memref<64xi8, #s>, !luna.token
  }
  luna.dma_wait %r#2
  return
}
