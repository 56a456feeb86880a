// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-verify-plan))' \
// RUN:   -o /dev/null
// Plans that are right: transfers, staging buffers, views, and operands of which
// the shape alone counts. None may be refused.

#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w0 : memref<256xi8, #p> = dense<1>
memref.global "private" constant @w1 : memref<256xi8, #p> = dense<2>
memref.global "private" constant @w2 : memref<256xi8, #p> = dense<3>

// wait(i), start(i+1), compute(i) over two staging buffers; between its uses
// the second one's bytes are taken by a tensor.
func.func @ping_pong_with_gaps(%x: memref<64xi8, #p>, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 640} {
  %s0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = staging>} : memref<256xi8, #s>
  %s1 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 256, kind = staging>} : memref<256xi8, #s>
  // In the bytes of %s1, before its first transfer.
  %a = memref.alloc() {luna.place = #luna.place<id = 2, offset = 256, kind = tensor>} : memref<64xi8, #s>
  %ti = luna.dma_start %x to %a : memref<64xi8, #p> to memref<64xi8, #s>
  luna.dma_wait %ti
  %g0 = memref.get_global @w0 : memref<256xi8, #p>
  %t0 = luna.dma_start %g0 to %s0 : memref<256xi8, #p> to memref<256xi8, #s>
  luna.dma_wait %t0
  %b = memref.alloc() {luna.place = #luna.place<id = 3, offset = 512, kind = tensor>} : memref<64xi8, #s>
  luna.table ins(%a, %s0 : memref<64xi8, #s>, memref<256xi8, #s>) outs(%b : memref<64xi8, #s>) {params = @w0}
  %g1 = memref.get_global @w1 : memref<256xi8, #p>
  %t1 = luna.dma_start %g1 to %s1 : memref<256xi8, #p> to memref<256xi8, #s>
  luna.dma_wait %t1
  %g2 = memref.get_global @w2 : memref<256xi8, #p>
  %t2 = luna.dma_start %g2 to %s0 : memref<256xi8, #p> to memref<256xi8, #s>
  %c = memref.alloc() {luna.place = #luna.place<id = 4, offset = 576, kind = tensor>} : memref<64xi8, #s>
  luna.table ins(%b, %s1 : memref<64xi8, #s>, memref<256xi8, #s>) outs(%c : memref<64xi8, #s>) {params = @w1}
  luna.dma_wait %t2
  // In the bytes of %s1 again, after its last use.
  %d = memref.alloc() {luna.place = #luna.place<id = 5, offset = 256, kind = tensor>} : memref<64xi8, #s>
  luna.table ins(%c, %s0 : memref<64xi8, #s>, memref<256xi8, #s>) outs(%d : memref<64xi8, #s>) {params = @w2}
  %to = luna.dma_start %d to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %to
  return
}

// Both branches start the transfer that is awaited after them.
func.func @prefetch_in_both_branches(%v: i8, %c: i1) attributes {luna.arena_bytes = 384} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %a = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = staging>} : memref<256xi8, #s>
  %g0 = memref.get_global @w0 : memref<256xi8, #p>
  %t = scf.if %c -> !luna.token {
    %u = luna.dma_start %g0 to %a : memref<256xi8, #p> to memref<256xi8, #s>
    linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
    scf.yield %u : !luna.token
  } else {
    linalg.fill ins(%v : i8) outs(%x : memref<64xi8, #s>)
    %u = luna.dma_start %g0 to %a : memref<256xi8, #p> to memref<256xi8, #s>
    scf.yield %u : !luna.token
  }
  luna.dma_wait %t
  luna.table ins(%x, %a : memref<64xi8, #s>, memref<256xi8, #s>) outs(%y : memref<64xi8, #s>) {params = @w0}
  return
}

// One transfer in flight on either path, two tokens: one of each is none.
func.func @branches_hold_different_tokens(%w: memref<64xi8, #p>, %c: i1) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  %t:2 = scf.if %c -> (!luna.token, !luna.token) {
    %u = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    %n = luna.dma_none
    scf.yield %u, %n : !luna.token, !luna.token
  } else {
    %u = luna.dma_start %w to %b : memref<64xi8, #p> to memref<64xi8, #s>
    %n = luna.dma_none
    scf.yield %n, %u : !luna.token, !luna.token
  }
  luna.dma_wait %t#0
  luna.dma_wait %t#1
  return
}

func.func @token_of_no_transfer_may_be_left(%c: i1) {
  %n = luna.dma_none
  %m = luna.dma_none
  luna.dma_wait %m
  luna.dma_wait %m
  return
}

func.func @token_out_of_a_region(%w: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %r:2 = luna.region 0 -> !luna.token, memref<64xi8, #s> {
    %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
    %t = luna.dma_start %w to %a : memref<64xi8, #p> to memref<64xi8, #s>
    luna.yield %t, %a : !luna.token, memref<64xi8, #s>
  }
  luna.region 1 {
    luna.dma_wait %r#0
    luna.add ins(%r#1, %r#1 : memref<64xi8, #s>, memref<64xi8, #s>) outs(%r#1 : memref<64xi8, #s>) {requant = #luna.requant<mode = shift>}
    luna.yield
  }
  return
}

// Joining two tensors copies a buffer of which a half is still to come.
func.func @concatenation(%v: i8, %o: memref<1x64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<1x64xi8, #s>
  %a0 = memref.subview %a[0, 0] [1, 32] [1, 1] : memref<1x64xi8, #s> to memref<1x32xi8, strided<[64, 1]>, #s>
  linalg.fill ins(%v : i8) outs(%a0 : memref<1x32xi8, strided<[64, 1]>, #s>)
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<1x64xi8, #s>
  memref.copy %a, %b : memref<1x64xi8, #s> to memref<1x64xi8, #s>
  %b1 = memref.subview %b[0, 32] [1, 32] [1, 1] : memref<1x64xi8, #s> to memref<1x32xi8, strided<[64, 1], offset: 32>, #s>
  linalg.fill ins(%v : i8) outs(%b1 : memref<1x32xi8, strided<[64, 1], offset: 32>, #s>)
  %t = luna.dma_start %b to %o : memref<1x64xi8, #s> to memref<1x64xi8, #p>
  luna.dma_wait %t
  return
}

// Views of one buffer are no overlap; disjoint halves in flight and in use.
func.func @halves_of_one_buffer(%v: i8, %w: memref<32xi8, #p>) attributes {luna.arena_bytes = 64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %lo = memref.view %a[%c0][] : memref<64xi8, #s> to memref<32xi8, #s>
  %hi = memref.view %a[%c32][] : memref<64xi8, #s> to memref<32xi8, #s>
  %t = luna.dma_start %w to %lo : memref<32xi8, #p> to memref<32xi8, #s>
  linalg.fill ins(%v : i8) outs(%hi : memref<32xi8, #s>)
  luna.dma_wait %t
  luna.add ins(%lo, %hi : memref<32xi8, #s>, memref<32xi8, #s>) outs(%hi : memref<32xi8, #s>) {requant = #luna.requant<mode = shift>}
  return
}

func.func @views_of_every_kind(%v: i8, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4x16xi8, #s>
  %b = memref.collapse_shape %a [[0, 1]] : memref<4x16xi8, #s> into memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%b : memref<64xi8, #s>)
  %c = memref.expand_shape %b [[0, 1]] output_shape [8, 8] : memref<64xi8, #s> into memref<8x8xi8, #s>
  %d = memref.cast %c : memref<8x8xi8, #s> to memref<?x8xi8, #s>
  %e = memref.reinterpret_cast %d to offset: [0], sizes: [64], strides: [1] : memref<?x8xi8, #s> to memref<64xi8, strided<[1]>, #s>
  %f = memref.cast %e : memref<64xi8, strided<[1]>, #s> to memref<64xi8, #s>
  %t = luna.dma_start %f to %o : memref<64xi8, #s> to memref<64xi8, #p>
  luna.dma_wait %t
  return
}

// Nobody writes the window of a pooling, and nobody reads it.
func.func @window(%x: memref<1x4x4x2xi8, #p>, %o: memref<1x2x2x2xi8, #p>) attributes {luna.arena_bytes = 64} {
  %c = arith.constant -128 : i8
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<1x4x4x2xi8, #s>
  %t = luna.dma_start %x to %a : memref<1x4x4x2xi8, #p> to memref<1x4x4x2xi8, #s>
  luna.dma_wait %t
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 32, kind = tensor>} : memref<1x2x2x2xi8, #s>
  %w = memref.alloc() {luna.place = #luna.place<id = 2, offset = 48, kind = tensor>} : memref<2x1xi8, #s>
  linalg.fill ins(%c : i8) outs(%b : memref<1x2x2x2xi8, #s>)
  linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 3]> : vector<2xi64>} ins(%a, %w : memref<1x4x4x2xi8, #s>, memref<2x1xi8, #s>) outs(%b : memref<1x2x2x2xi8, #s>)
  %u = luna.dma_start %b to %o : memref<1x2x2x2xi8, #s> to memref<1x2x2x2xi8, #p>
  luna.dma_wait %u
  return
}

// A transfer into one of two buffers that a loop exchanges stays in that one
// while a loop in its body accesses the other.
func.func @in_flight_beside_an_inner_loop(%w: memref<64xi8, #p>, %n: index, %o: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  memref.copy %w, %a : memref<64xi8, #p> to memref<64xi8, #s>
  memref.copy %w, %b : memref<64xi8, #p> to memref<64xi8, #s>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<64xi8, #s>, memref<64xi8, #s>) {
    %t = luna.dma_start %w to %x : memref<64xi8, #p> to memref<64xi8, #s>
    scf.for %j = %c0 to %n step %c1 {
      memref.copy %y, %o : memref<64xi8, #s> to memref<64xi8, #p>
    }
    luna.dma_wait %t
    scf.yield %y, %x : memref<64xi8, #s>, memref<64xi8, #s>
  }
  return
}
