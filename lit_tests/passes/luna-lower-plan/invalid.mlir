// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-lower-plan))'

func.func @no_place() {
  // expected-error @below {{allocation has no luna.place; plan it with luna-plan-memory first}}
  %0 = memref.alloc() : memref<4xi8, #luna.memory<shared>>
  return
}

// -----

func.func @dynamic(%n: index) attributes {luna.arena_bytes = 0} {
  // expected-error @below {{allocation has a dynamic shape, static ones can lie in the arena}}
  %0 = memref.alloc(%n) {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<?xi8, #luna.memory<shared>>
  return
}

// -----

func.func @strided() attributes {luna.arena_bytes = 16} {
  // expected-error @below {{allocation has gaps or an offset, dense ones can lie in the arena}}
  %0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4x4xi8, strided<[8, 1]>, #luna.memory<shared>>
  return
}

// -----

func.func @two_offsets() attributes {luna.arena_bytes = 20} {
  %0 = memref.alloc() {luna.place = #luna.place<id = 7, offset = 0, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
  // expected-error @below {{buffer 7 has offsets 0 and 16}}
  %1 = memref.alloc() {luna.place = #luna.place<id = 7, offset = 16, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
  return
}

// -----

func.func @offset_overflows() attributes {luna.arena_bytes = 0} {
  // expected-error @below {{offset 9223372036854775806 is too large}}
  %0 = memref.alloc() {luna.place = #luna.place<id = 7, offset = 9223372036854775806, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
  return
}

// -----

// expected-error @below {{luna.arena_bytes is 8, the buffers end at 20}}
func.func @arena_too_small() attributes {luna.arena_bytes = 8 : i64} {
  %0 = memref.alloc() {luna.place = #luna.place<id = 7, offset = 16, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
  return
}
