// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-verify-plan{record=required}))'
// Plans that are memory safe and do something else than the program.

// expected-error @below {{there is no luna.program to compare with; run luna-record-program before memories are assigned}}
func.func @unrecorded(%x: memref<4xi8, #luna.memory<psram>>) {
  return
}

// -----

// expected-error @below {{argument 1: bytes [0, 4) end up as bytes [0, 4) of argument 1, unlike in the program}}
func.func @copy_removed(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  return
}
luna.program @p {
  func.func @copy_removed(%x: memref<4xi8>, %y: memref<4xi8>) {
    memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// expected-error @below {{argument 1: bytes [0, 4) end up as constants that the program does not have, unlike in the program}}
func.func @constant_altered(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  %c = memref.get_global @c : memref<4xi8, #luna.memory<psram>>
  memref.copy %c, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
  return
}
memref.global "private" constant @c : memref<4xi8, #luna.memory<psram>> = dense<[1, 2, 3, 5]>
luna.program @p {
  memref.global "private" constant @c : memref<4xi8> = dense<[1, 2, 3, 4]>
  func.func @constant_altered(%x: memref<4xi8>, %y: memref<4xi8>) {
    %c = memref.get_global @c : memref<4xi8>
    memref.copy %c, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// expected-error @below {{argument 2: bytes [0, 1) end up as another choice between branches, unlike in the program}}
func.func @arms_exchanged(%f: memref<i1, #luna.memory<psram>>, %x: memref<1xi8, #luna.memory<psram>>, %y: memref<1xi8, #luna.memory<psram>>) {
  %b = memref.load %f[] : memref<i1, #luna.memory<psram>>
  scf.if %b {
  } else {
    memref.copy %x, %y : memref<1xi8, #luna.memory<psram>> to memref<1xi8, #luna.memory<psram>>
  }
  return
}
luna.program @p {
  func.func @arms_exchanged(%f: memref<i1>, %x: memref<1xi8>, %y: memref<1xi8>) {
    %b = memref.load %f[] : memref<i1>
    scf.if %b {
      memref.copy %x, %y : memref<1xi8> to memref<1xi8>
    }
    return
  }
}

// -----

// expected-error @below {{arguments differ from those of the program}}
func.func @fewer_arguments(%x: memref<4xi8, #luna.memory<psram>>) {
  return
}
luna.program @p {
  func.func @fewer_arguments(%x: memref<4xi8>, %y: memref<4xi8>) {
    return
  }
}

// -----

func.func @dynamic_argument(%x: memref<4xi8, strided<[?]>, #luna.memory<psram>>) {
  return
}
luna.program @p {
  // expected-error @below {{argument 0 has no static shape and strides}}
  func.func @dynamic_argument(%x: memref<4xi8, strided<[?]>>) {
    return
  }
}

// -----

func.func @bound(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // expected-error @below {{upper bound of the loop differs from that of the program}}
  scf.for %i = %c0 to %c5 step %c1 {
    memref.copy %x, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
  }
  return
}
luna.program @p {
  func.func @bound(%x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

// expected-error @below {{loops do not correspond to those of the program}}
func.func @loop_removed(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  memref.copy %x, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
  return
}
luna.program @p {
  func.func @loop_removed(%x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

func.func @for_or_while(%f: memref<i1, #luna.memory<psram>>, %x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{loops do not correspond to those of the program}}
  scf.for %i = %c0 to %c4 step %c1 {
    memref.copy %x, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
  }
  return
}
luna.program @p {
  func.func @for_or_while(%f: memref<i1>, %x: memref<4xi8>, %y: memref<4xi8>) {
    scf.while : () -> () {
      %b = memref.load %f[] : memref<i1>
      scf.condition(%b)
    } do {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
      scf.yield
    }
    return
  }
}

// -----

func.func @condition(%f: memref<i1, #luna.memory<psram>>, %g: memref<i1, #luna.memory<psram>>, %x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  scf.while : () -> () {
    %b = memref.load %g[] : memref<i1, #luna.memory<psram>>
    // expected-error @below {{the loop goes on under another condition than in the program}}
    scf.condition(%b)
  } do {
    memref.copy %x, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
    scf.yield
  }
  return
}
luna.program @p {
  func.func @condition(%f: memref<i1>, %g: memref<i1>, %x: memref<4xi8>, %y: memref<4xi8>) {
    scf.while : () -> () {
      %b = memref.load %f[] : memref<i1>
      scf.condition(%b)
    } do {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
      scf.yield
    }
    return
  }
}

// -----

func.func @branch(%n: index, %f: memref<i1, #luna.memory<psram>>, %x: memref<1xi8, #luna.memory<psram>>, %y: memref<1xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.load %f[] : memref<i1, #luna.memory<psram>>
  %i = arith.index_cast %b : i1 to index
  scf.index_switch %i
  case 0 {
    // expected-error @below {{the loop runs under another condition than in the program}}
    scf.for %k = %c0 to %n step %c1 {
      memref.copy %x, %y : memref<1xi8, #luna.memory<psram>> to memref<1xi8, #luna.memory<psram>>
    }
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default {
  }
  return
}
luna.program @p {
  func.func @branch(%n: index, %f: memref<i1>, %x: memref<1xi8>, %y: memref<1xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = memref.load %f[] : memref<i1>
    scf.if %b {
      scf.for %k = %c0 to %n step %c1 {
        memref.copy %x, %y : memref<1xi8> to memref<1xi8>
      }
    }
    return
  }
}

// -----

func.func @unknown_operator(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  return
}
func.func private @f()
luna.program @p {
  func.func private @f()
  func.func @unknown_operator(%x: memref<4xi8>, %y: memref<4xi8>) {
    // expected-error @below {{operator without a meaning for the comparison with the program}}
    func.call @f() : () -> ()
    return
  }
}

// -----

func.func @dynamic_view(%x: memref<4xi8, #luna.memory<psram>>) {
  return
}
luna.program @p {
  func.func @dynamic_view(%x: memref<4xi8>) {
    %c2 = arith.constant 2 : index
    // expected-error @below {{view of dynamic extents or strides, or beyond the largest address, cannot be compared with the program}}
    %0 = memref.subview %x[0] [%c2] [1] : memref<4xi8> to memref<?xi8, strided<[1]>>
    return
  }
}

// -----

func.func @dynamic_alloc(%x: memref<4xi8, #luna.memory<psram>>) {
  return
}
luna.program @p {
  func.func @dynamic_alloc(%x: memref<4xi8>) {
    %c4 = arith.constant 4 : index
    // expected-error @below {{memref of dynamic shape or strides cannot be compared with the program}}
    %0 = memref.alloc(%c4) : memref<?xi8>
    return
  }
}

// -----

func.func @carries_view(%x: memref<8xi8, #luna.memory<psram>>, %n: memref<2xindex, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
  }
  return
}
luna.program @p {
  func.func @carries_view(%x: memref<8xi8>, %n: memref<2xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %i = memref.load %n[%c0] : memref<2xindex>
    %j = memref.load %n[%c1] : memref<2xindex>
    %a = memref.subview %x[%i] [2] [%j] : memref<8xi8> to memref<2xi8, strided<[?], offset: ?>>
    %b = memref.subview %x[%j] [2] [%i] : memref<8xi8> to memref<2xi8, strided<[?], offset: ?>>
    // expected-error @below {{carries a memref of dynamic strides, which cannot be compared with the program}}
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%v = %a) -> (memref<2xi8, strided<[?], offset: ?>>) {
      scf.yield %b : memref<2xi8, strided<[?], offset: ?>>
    }
    return
  }
}

// -----

// The then yields %a, another live buffer of the same type.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
// expected-error @below {{argument 3: bytes [0, 64) end up as bytes [0, 64) of argument 1, unlike in the program}}
func.func @yields_another_buffer(%c: i1, %x: memref<64xi8, #p>, %y: memref<64xi8, #p>, %z: memref<64xi8, #p>) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = input>} : memref<64xi8, #s>
  memref.copy %x, %a : memref<64xi8, #p> to memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = input>} : memref<64xi8, #s>
  memref.copy %y, %b : memref<64xi8, #p> to memref<64xi8, #s>
  %r = scf.if %c -> memref<64xi8, #s> {
    scf.yield %a : memref<64xi8, #s>
  } else {
    scf.yield %a : memref<64xi8, #s>
  }
  memref.copy %r, %z : memref<64xi8, #s> to memref<64xi8, #p>
  return
}
luna.program @p {
  func.func @yields_another_buffer(%c: i1, %x: memref<64xi8>, %y: memref<64xi8>, %z: memref<64xi8>) {
    %r = scf.if %c -> memref<64xi8> {
      scf.yield %y : memref<64xi8>
    } else {
      scf.yield %x : memref<64xi8>
    }
    memref.copy %r, %z : memref<64xi8> to memref<64xi8>
    return
  }
}

// -----

// The branch that holds the loop tests something else.
func.func @other_branch(%c: i1, %d: i1, %n: index, %x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %d {
    // expected-error @below {{the loop runs under another condition than in the program}}
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
    }
  }
  return
}
luna.program @p {
  func.func @other_branch(%c: i1, %d: i1, %n: index, %x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.if %c {
      scf.for %i = %c0 to %n step %c1 {
        memref.copy %x, %y : memref<4xi8> to memref<4xi8>
      }
    }
    return
  }
}

// -----

// The loop of one arm is missing.
// expected-error @below {{loops do not correspond to those of the program}}
func.func @arm_with_loop_removed(%c: i1, %n: index, %x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
    }
  }
  return
}
luna.program @p {
  func.func @arm_with_loop_removed(%c: i1, %n: index, %x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.if %c {
      scf.for %i = %c0 to %n step %c1 {
        memref.copy %x, %y : memref<4xi8> to memref<4xi8>
      }
    } else {
      scf.for %i = %c0 to %n step %c1 {
        memref.copy %x, %y : memref<4xi8> to memref<4xi8>
      }
    }
    return
  }
}

// -----

func.func @negated(%c: i1, %x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  // expected-error @-1 {{argument 2: bytes [0, 4) end up as another choice between branches, unlike in the program}}
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  scf.if %not {
    memref.copy %x, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
  }
  return
}
luna.program @p {
  func.func @negated(%c: i1, %x: memref<4xi8>, %y: memref<4xi8>) {
    scf.if %c {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

// What a variable holds is not known: a copy of it would equal anything.
func.func @variable_of_the_program(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) {
  memref.copy %x, %y : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<psram>>
  return
}
luna.program @p {
  // expected-error @below {{global is not a constant; what a plan keeps between calls are arguments}}
  memref.global "private" @c : memref<4xi8> = dense<[1, 2, 3, 4]>
  func.func @variable_of_the_program(%x: memref<4xi8>, %y: memref<4xi8>) {
    %c = memref.get_global @c : memref<4xi8>
    memref.copy %c, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// Far behind the start of a large buffer.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
// expected-error @below {{argument 2: bytes [9216, 9472) end up as bytes [0, 256) of argument 1, unlike in the program}}
func.func @across_pages(%x: memref<12288xi8, #p>, %z: memref<256xi8, #p>, %y: memref<12288xi8, #p>) attributes {luna.arena_bytes = 13312} {
  %c9216 = arith.constant 9216 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 1024, kind = tensor>} : memref<12288xi8, #s>
  %part = memref.view %a[%c9216][] : memref<12288xi8, #s> to memref<256xi8, #s>
  memref.copy %x, %a : memref<12288xi8, #p> to memref<12288xi8, #s>
  memref.copy %z, %part : memref<256xi8, #p> to memref<256xi8, #s>
  memref.copy %a, %y : memref<12288xi8, #s> to memref<12288xi8, #p>
  return
}
luna.program @p {
  func.func @across_pages(%x: memref<12288xi8>, %z: memref<256xi8>, %y: memref<12288xi8>) {
    memref.copy %x, %y : memref<12288xi8> to memref<12288xi8>
    return
  }
}

// -----

#s = #luna.memory<shared>
#p = #luna.memory<psram>

// The program exchanges two buffers in each turn; the plan does not.
// expected-error @below {{loops do not correspond to those of the program}}
func.func @exchange_removed(%n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) {
  memref.copy %x, %z : memref<4xi8, #p> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @exchange_removed(%n: index, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xi8>, memref<4xi8>) {
      scf.yield %b, %a : memref<4xi8>, memref<4xi8>
    }
    memref.copy %r#0, %z : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// A while of the plan alone may not end.
func.func @while_added(%c: i1, %x: memref<4xi8, #luna.memory<psram>>) {
  // expected-error @below {{loops do not correspond to those of the program}}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
luna.program @p {
  func.func @while_added(%c: i1, %x: memref<4xi8>) {
    return
  }
}

// -----

#p = #luna.memory<psram>

// The loop ends where the condition does not hold, with the other value.
// expected-error @below {{argument 3: bytes [0, 4) end up as}}
func.func @value_of_exit(%c: i1, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) {
  scf.while : () -> () {
    memref.copy %x, %z : memref<4xi8, #p> to memref<4xi8, #p>
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
luna.program @p {
  func.func @value_of_exit(%c: i1, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    scf.while : () -> () {
      scf.if %c {
        memref.copy %x, %z : memref<4xi8> to memref<4xi8>
      } else {
        memref.copy %y, %z : memref<4xi8> to memref<4xi8>
      }
      scf.condition(%c)
    } do {
      scf.yield
    }
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// Three buffers take turns, and each turn writes one of them: what the first
// one held is lost.
func.func @rotated(%x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 132} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %u = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #s>
  %v = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<4xi8, #s>
  %w = memref.alloc() {luna.place = #luna.place<id = 2, offset = 128, kind = tensor>} : memref<4xi8, #s>
  memref.copy %x, %u : memref<4xi8, #p> to memref<4xi8, #s>
  memref.copy %x, %v : memref<4xi8, #p> to memref<4xi8, #s>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %u, %b = %v, %c = %w) -> (memref<4xi8, #s>, memref<4xi8, #s>, memref<4xi8, #s>) {
    // expected-note @below {{overwritten here}}
    linalg.map {math.absi} ins(%b : memref<4xi8, #s>) outs(%c : memref<4xi8, #s>)
    scf.yield %c, %a, %b : memref<4xi8, #s>, memref<4xi8, #s>, memref<4xi8, #s>
  }
  // expected-error @below {{reads bytes [0, 4) of buffer 0, which another buffer has overwritten}}
  memref.copy %u, %y : memref<4xi8, #s> to memref<4xi8, #p>
  return
}
luna.program @program {
  func.func @rotated(%x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %u = memref.alloc() : memref<4xi8>
    %v = memref.alloc() : memref<4xi8>
    %w = memref.alloc() : memref<4xi8>
    memref.copy %x, %u : memref<4xi8> to memref<4xi8>
    memref.copy %x, %v : memref<4xi8> to memref<4xi8>
    %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %u, %b = %v, %c = %w) -> (memref<4xi8>, memref<4xi8>, memref<4xi8>) {
      linalg.map {math.absi} ins(%b : memref<4xi8>) outs(%c : memref<4xi8>)
      scf.yield %c, %a, %b : memref<4xi8>, memref<4xi8>, memref<4xi8>
    }
    memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>

// An upper bound of -1 is none, or 2^64 - 1.
func.func @unsigned(%n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{signedness of the loop differs from that of the program}}
  scf.for unsigned %i = %c0 to %n step %c1 {
    memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
  }
  return
}
luna.program @p {
  func.func @unsigned(%n: index, %x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

#p = #luna.memory<psram>

// The same of constants: the loop of the plan has no iteration.
// expected-error @below {{loops do not correspond to those of the program}}
func.func @unsigned_constants(%x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %high = arith.constant -1 : index
  %step = arith.constant 4611686018427387904 : index
  scf.for %i = %c0 to %high step %step {
    memref.copy %x, %y : memref<4xi8, #p> to memref<4xi8, #p>
  }
  return
}
luna.program @p {
  func.func @unsigned_constants(%x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %high = arith.constant -1 : index
    %step = arith.constant 4611686018427387904 : index
    scf.for unsigned %i = %c0 to %high step %step {
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

// A step of 0 never ends.
func.func @no_step() attributes {luna.arena_bytes = 0} {
  %low = arith.constant 0 : index
  %high = arith.constant 1 : index
  %step = arith.constant 0 : index
  // expected-error @below {{loops do not correspond to those of the program}}
  scf.for %i = %low to %high step %step {
  }
  return
}
luna.program @p {
  func.func @no_step() {
    return
  }
}

// -----

// A loop that the program does not have ends soon.
func.func @too_long() attributes {luna.arena_bytes = 0} {
  %low = arith.constant 0 : index
  %high = arith.constant 4611686018427387904 : index
  %step = arith.constant 1 : index
  // expected-error @below {{loops do not correspond to those of the program}}
  scf.for %i = %low to %high step %step {
  }
  return
}
luna.program @p {
  func.func @too_long() {
    return
  }
}

// -----

// Nor does data decide how long it takes.
func.func @bound_by_data(%high: index) attributes {luna.arena_bytes = 0} {
  %low = arith.constant 0 : index
  %step = arith.constant 1 : index
  // expected-error @below {{loops do not correspond to those of the program}}
  scf.for %i = %low to %high step %step {
  }
  return
}
luna.program @p {
  func.func @bound_by_data(%high: index) {
    return
  }
}

// -----

#p = #luna.memory<psram>
#map = affine_map<(d0) -> (d0)>

// The plan reads another input than the program: a word of the one's record is
// an operand's contents, of the other's a type.
// expected-error @below {{argument 2: bytes [0, 4) end up as the result of another operator, or of one with other operands, unlike in the program}}
func.func @reads_another(%x: memref<1xf32, #p>, %y: memref<1xf32, #p>, %z: memref<1xf32, #p>) attributes {luna.arena_bytes = 0} {
  // expected-note @below {{the first operator that computes what the program does not}}
  linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%x, %x, %y : memref<1xf32, #p>, memref<1xf32, #p>, memref<1xf32, #p>) outs(%z : memref<1xf32, #p>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %sum = arith.addf %a, %c : f32
    linalg.yield %sum : f32
  }
  return
}
luna.program @p {
  func.func @reads_another(%x: memref<1xf32>, %y: memref<1xf32>, %z: memref<1xf32>) {
    linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%x, %x, %y : memref<1xf32>, memref<1xf32>, memref<1xf32>) outs(%z : memref<1xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
      %sum = arith.addf %a, %b : f32
      linalg.yield %sum : f32
    }
    return
  }
}

// -----

#p = #luna.memory<psram>

// The plan carries one memref until the test of the loop is known to vary, then
// another than the program.
// expected-error @below {{argument 4: bytes [0, 4) end up as bytes [0, 4) of argument 2, unlike in the program}}
func.func @starts_over_elsewhere(%c: i1, %n: memref<i1, #p>, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>, %w: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.while (%b = %c, %f = %true, %m = %x) : (i1, i1, memref<4xi8, #p>) -> (i1, memref<4xi8, #p>) {
    scf.condition(%b) %f, %m : i1, memref<4xi8, #p>
  } do {
  ^bb0(%f: i1, %m: memref<4xi8, #p>):
    %s = scf.if %f -> memref<4xi8, #p> {
      scf.yield %m : memref<4xi8, #p>
    } else {
      scf.for %i = %c0 to %c3 step %c1 {
        memref.copy %m, %w : memref<4xi8, #p> to memref<4xi8, #p>
      }
      scf.yield %x : memref<4xi8, #p>
    }
    %next = memref.load %n[] : memref<i1, #p>
    scf.yield %next, %false, %s : i1, i1, memref<4xi8, #p>
  }
  memref.copy %r#1, %z : memref<4xi8, #p> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @starts_over_elsewhere(%c: i1, %n: memref<i1>, %x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>, %w: memref<4xi8>) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r:2 = scf.while (%b = %c, %f = %true, %m = %x) : (i1, i1, memref<4xi8>) -> (i1, memref<4xi8>) {
      scf.condition(%b) %f, %m : i1, memref<4xi8>
    } do {
    ^bb0(%f: i1, %m: memref<4xi8>):
      %s = scf.if %f -> memref<4xi8> {
        scf.yield %m : memref<4xi8>
      } else {
        scf.for %i = %c0 to %c3 step %c1 {
          memref.copy %m, %w : memref<4xi8> to memref<4xi8>
        }
        scf.yield %y : memref<4xi8>
      }
      %next = memref.load %n[] : memref<i1>
      %t = memref.alloc() : memref<4xi8>
      memref.copy %s, %t : memref<4xi8> to memref<4xi8>
      scf.yield %next, %false, %t : i1, i1, memref<4xi8>
    }
    memref.copy %r#1, %z : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#map = affine_map<(d0) -> (d0)>

// Behind the loop in a branch the buffers are exchanged.
// expected-error @below {{argument 2: bytes [0, 4) end up as another choice between branches, unlike in the program}}
func.func @after_a_loop_exchanged(%c: i1, %n: index, %x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %u: memref<4xi8, #p>, %v: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %s:2 = scf.if %c -> (memref<4xi8, #p>, memref<4xi8, #p>) {
    memref.copy %x, %u : memref<4xi8, #p> to memref<4xi8, #p>
    scf.yield %u, %v : memref<4xi8, #p>, memref<4xi8, #p>
  } else {
    memref.copy %y, %v : memref<4xi8, #p> to memref<4xi8, #p>
    %r = scf.while (%i = %c0) : (index) -> index {
      %b = arith.cmpi slt, %i, %n : index
      scf.condition(%b) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    scf.yield %v, %u : memref<4xi8, #p>, memref<4xi8, #p>
  }
  memref.copy %s#0, %s#1 : memref<4xi8, #p> to memref<4xi8, #p>
  memref.copy %s#0, %s#0 : memref<4xi8, #p> to memref<4xi8, #p>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : i8) outs(%s#1 : memref<4xi8, #p>)
    linalg.fill ins(%one : i8) outs(%s#0 : memref<4xi8, #p>)
  }
  %t:2 = scf.if %c -> (memref<4xi8, #p>, memref<4xi8, #p>) {
    scf.yield %u, %v : memref<4xi8, #p>, memref<4xi8, #p>
  } else {
    scf.yield %v, %u : memref<4xi8, #p>, memref<4xi8, #p>
  }
  memref.copy %t#0, %x : memref<4xi8, #p> to memref<4xi8, #p>
  memref.copy %t#1, %y : memref<4xi8, #p> to memref<4xi8, #p>
  linalg.fill ins(%zero : i8) outs(%u : memref<4xi8, #p>)
  linalg.fill ins(%zero : i8) outs(%v : memref<4xi8, #p>)
  return
}
luna.program @p {
  func.func @after_a_loop_exchanged(%c: i1, %n: index, %x: memref<4xi8>, %y: memref<4xi8>, %u: memref<4xi8>, %v: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i8
    %one = arith.constant 1 : i8
    %s = scf.if %c -> memref<4xi8> {
      scf.yield %x : memref<4xi8>
    } else {
      %r = scf.while (%i = %c0) : (index) -> index {
        %b = arith.cmpi slt, %i, %n : index
        scf.condition(%b) %i : index
      } do {
      ^bb0(%i: index):
        %next = arith.addi %i, %c1 : index
        scf.yield %next : index
      }
      scf.yield %y : memref<4xi8>
    }
    %a = memref.alloc() : memref<4xi8>
    memref.copy %s, %a : memref<4xi8> to memref<4xi8>
    %b = memref.alloc() : memref<4xi8>
    memref.copy %s, %b : memref<4xi8> to memref<4xi8>
    scf.for %i = %c0 to %n step %c1 {
      linalg.fill ins(%zero : i8) outs(%a : memref<4xi8>)
      linalg.fill ins(%one : i8) outs(%b : memref<4xi8>)
    }
    memref.copy %a, %x : memref<4xi8> to memref<4xi8>
    memref.copy %b, %y : memref<4xi8> to memref<4xi8>
    linalg.fill ins(%zero : i8) outs(%u : memref<4xi8>)
    linalg.fill ins(%zero : i8) outs(%v : memref<4xi8>)
    return
  }
}

// -----

#p = #luna.memory<psram>

// Bytes that nothing wrote need not equal others.
// expected-error @below {{argument 2: bytes [0, 4) end up as bytes [0, 4) of argument 0, unlike in the program}}
func.func @compares_undefined(%x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %z: memref<4xi8, #p>) attributes {luna.arena_bytes = 0} {
  memref.copy %x, %z : memref<4xi8, #p> to memref<4xi8, #p>
  return
}
luna.program @p {
  func.func @compares_undefined(%x: memref<4xi8>, %y: memref<4xi8>, %z: memref<4xi8>) {
    %a = memref.alloc() : memref<i8>
    %b = memref.alloc() : memref<i8>
    %i = memref.load %a[] : memref<i8>
    %j = memref.load %b[] : memref<i8>
    %c = arith.cmpi eq, %i, %j : i8
    scf.if %c {
      memref.copy %x, %z : memref<4xi8> to memref<4xi8>
    } else {
      memref.copy %y, %z : memref<4xi8> to memref<4xi8>
    }
    return
  }
}

// -----

// Planes of channels that are read as if they were planes of rows.
// expected-error@+1 {{argument 1: bytes [1, 2) end up as bytes [6, 7) of argument 0, unlike in the program}}
func.func @other_planes(%x: memref<2x2x3xi8, #luna.memory<psram>>, %y: memref<2x2x3xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 16 : i64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<2x2x3xi8, strided<[2, 1, 4]>, #luna.memory<shared>>
  memref.copy %x, %a : memref<2x2x3xi8, #luna.memory<psram>> to memref<2x2x3xi8, strided<[2, 1, 4]>, #luna.memory<shared>>
  %b = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2, 3], strides: [1, 6, 2] : memref<2x2x3xi8, strided<[2, 1, 4]>, #luna.memory<shared>> to memref<2x2x3xi8, strided<[1, 6, 2]>, #luna.memory<shared>>
  memref.copy %b, %y : memref<2x2x3xi8, strided<[1, 6, 2]>, #luna.memory<shared>> to memref<2x2x3xi8, #luna.memory<psram>>
  return
}
luna.program @p {
  func.func @other_planes(%x: memref<2x2x3xi8>, %y: memref<2x2x3xi8>) {
    memref.copy %x, %y : memref<2x2x3xi8> to memref<2x2x3xi8>
    return
  }
}

// -----

#p = #luna.memory<psram>
#s = #luna.memory<shared>
// What the loop carries is undefined in the program before the first iteration,
// and computed there as in the plan, of the same value; in the second iteration
// of another one.
// expected-error @below {{argument 3: bytes [0, 64) end up as what another loop carries, unlike in the program}}
func.func @loop_of_undefined(%n: index, %k: memref<16xf32, #p>, %z: memref<16xf32, #p>, %o: memref<16xf32, #p>) attributes {luna.arena_bytes = 192} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xf32, #s>
  %v = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<16xf32, #s>
  memref.copy %k, %u : memref<16xf32, #p> to memref<16xf32, #s>
  memref.copy %z, %v : memref<16xf32, #p> to memref<16xf32, #s>
  scf.for %i = %c0 to %n step %c1 {
    linalg.map { math.absf } ins(%u : memref<16xf32, #s>) outs(%v : memref<16xf32, #s>)
    // expected-note @below {{the first operator that computes what the program does not}}
    linalg.map { math.sin } ins(%u : memref<16xf32, #s>) outs(%u : memref<16xf32, #s>)
  }
  memref.copy %v, %o : memref<16xf32, #s> to memref<16xf32, #p>
  return
}
luna.program @p {
  func.func @loop_of_undefined(%n: index, %k: memref<16xf32>, %z: memref<16xf32>, %o: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = memref.alloc() : memref<16xf32>
    %v = memref.alloc() : memref<16xf32>
    memref.copy %k, %u : memref<16xf32> to memref<16xf32>
    scf.for %i = %c0 to %n step %c1 {
      linalg.map { math.absf } ins(%u : memref<16xf32>) outs(%v : memref<16xf32>)
      linalg.map { math.cos } ins(%u : memref<16xf32>) outs(%u : memref<16xf32>)
    }
    memref.copy %v, %o : memref<16xf32> to memref<16xf32>
    return
  }
}
