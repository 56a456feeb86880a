// RUN: luna-opt %s --split-input-file --verify-diagnostics

// Attributes of the dialect that are unknown, stand where they do not belong, or
// hold what they may not.

func.func @unknown() {
  // expected-error @below {{unknown attribute 'luna.elephant'}}
  %a = memref.alloc() {luna.elephant} : memref<4xi8>
  return
}

// -----

func.func @misspelt() {
  // expected-error @below {{unknown attribute 'luna.knid'; did you mean 'luna.kind'?}}
  %a = memref.alloc() {luna.knid = "staging"} : memref<4xi8>
  return
}

// -----

// expected-error @below {{unknown attribute 'luna.nam'; did you mean 'luna.name'?}}
func.func private @misspelt_on_an_argument(memref<4xi8> {luna.nam = "x"})

// -----

// expected-error @below {{unknown attribute 'luna.initial_value'}}
func.func private @unknown_on_a_result() -> (tensor<4xi8> {luna.initial_value = 1 : i8})

// -----

func.func @name_of_a_branch(%c: i1) {
  // expected-error @below {{'luna.name' belongs on arguments and results of functions}}
  scf.if %c {
  } {luna.name = "voice"}
  return
}

// -----

// expected-error @below {{'luna.name' belongs on arguments and results of functions}}
module @name_of_a_module attributes {luna.name = "x"} {
}

// -----

// expected-error @below {{'luna.scale' belongs on arguments and results of functions}}
module @scale_of_a_module attributes {luna.scale = 0.5 : f32} {
}

// -----

// expected-error @below {{'luna.zero_point' belongs on arguments and results of functions}}
module @zero_point_of_a_module attributes {luna.zero_point = 1 : i64} {
}

// -----

// expected-error @below {{'luna.unsigned' belongs on arguments and results of functions}}
module @unsigned_of_a_module attributes {luna.unsigned = unit} {
}

// -----

// expected-error @below {{'luna.state' belongs on arguments and results of functions}}
module @state_of_a_module attributes {luna.state = "s"} {
}

// -----

// expected-error @below {{'luna.initial' belongs on arguments and results of functions}}
module @initial_of_a_module attributes {luna.initial = dense<1> : tensor<4xi8>} {
}

// -----

// expected-error @below {{'luna.kind' belongs on memref.alloc}}
module @kind_of_a_module attributes {luna.kind = "staging"} {
}

// -----

// expected-error @below {{'luna.place' belongs on memref.alloc}}
module @place_of_a_module attributes {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} {
}

// -----

// expected-error @below {{'luna.arena_bytes' belongs on func.func}}
module @arena_bytes_of_a_module attributes {luna.arena_bytes = 0 : i64} {
}

// -----

// expected-error @below {{'luna.plan' belongs on func.func}}
module @plan_of_a_module attributes {luna.plan = {}} {
}

// -----

// expected-error @below {{'luna.cost' belongs on func.func}}
module @cost_of_a_module attributes {luna.cost = []} {
}

// -----

// expected-error @below {{'luna.dma' belongs on func.func}}
module @dma_of_a_module attributes {luna.dma = "sync"} {
}

// -----

// expected-error @below {{'luna.buffers' belongs on func.func}}
module @buffers_of_a_module attributes {luna.buffers = []} {
}

// -----

// expected-error @below {{'luna.arena_bytes' belongs on func.func}}
func.func private @arena_of_an_argument(memref<4xi8> {luna.arena_bytes = 0 : i64})

// -----

// expected-error @below {{'luna.name' needs a string that is not empty}}
func.func private @name_21(tensor<4xi8> {luna.name = 7 : i32})

// -----

// expected-error @below {{'luna.name' needs a string that is not empty}}
func.func private @name_22(tensor<4xi8> {luna.name = ""})

// -----

// expected-error @below {{'luna.state' needs a string that is not empty}}
func.func private @state_23(tensor<4xi8> {luna.state = unit})

// -----

// expected-error @below {{'luna.scale' needs an f32}}
func.func private @scale_24(tensor<4xi8> {luna.scale = "half"})

// -----

// expected-error @below {{'luna.scale' needs an f32}}
func.func private @scale_25(tensor<4xi8> {luna.scale = 0.5 : f64})

// -----

// expected-error @below {{'luna.zero_point' needs an i64}}
func.func private @zero_point_26(tensor<4xi8> {luna.zero_point = 1 : i8})

// -----

// expected-error @below {{'luna.unsigned' needs no value}}
func.func private @unsigned_27(tensor<4xi8> {luna.unsigned = true})

// -----

// expected-error @below {{'luna.initial' needs dense elements of the size of an argument with luna.state}}
func.func private @initial_28(tensor<4xi8> {luna.initial = dense<1> : tensor<4xi8>})

// -----

// expected-error @below {{'luna.initial' needs dense elements of the size of an argument with luna.state}}
func.func private @initial_29(tensor<4xi8> {luna.state = "s", luna.initial = dense<1> : tensor<2xi8>})

// -----

// expected-error @below {{'luna.initial' needs dense elements of the size of an argument with luna.state}}
func.func private @initial_30(tensor<4xi8> {luna.state = "s", luna.initial = 1 : i8})

// -----

// expected-error @below {{'luna.initial' needs dense elements of the size of an argument with luna.state}}
func.func private @initial_of_a_result() -> (tensor<4xi8> {luna.state = "s", luna.initial = dense<1> : tensor<4xi8>})

// -----

func.func @kind_32() attributes {luna.arena_bytes = 4 : i64} {
  // expected-error @below {{'luna.kind' needs one of tensor, input, output, staging, scratch}}
  %a = memref.alloc() {luna.kind = 7 : i32} : memref<4xi8, #luna.memory<psram>>
  return
}

// -----

func.func @kind_33() attributes {luna.arena_bytes = 4 : i64} {
  // expected-error @below {{'luna.kind' needs one of tensor, input, output, staging, scratch}}
  %a = memref.alloc() {luna.kind = "weights"} : memref<4xi8, #luna.memory<psram>>
  return
}

// -----

func.func @place_34() attributes {luna.arena_bytes = 4 : i64} {
  // expected-error @below {{'luna.place' needs a #luna.place}}
  %a = memref.alloc() {luna.place = 64 : i64} : memref<4xi8, #luna.memory<psram>>
  return
}

// -----

// expected-error @below {{'luna.arena_bytes' needs an i64 of at least 0}}
func.func private @arena_bytes_35() attributes {luna.arena_bytes = -1 : i64}

// -----

// expected-error @below {{'luna.arena_bytes' needs an i64 of at least 0}}
func.func private @arena_bytes_36() attributes {luna.arena_bytes = 64 : i32}

// -----

// expected-error @below {{'luna.dma' needs one of auto, ping-pong, sync}}
func.func private @dma_37() attributes {luna.dma = "fast"}

// -----

// expected-error @below {{'luna.dma' needs one of auto, ping-pong, sync}}
func.func private @dma_38() attributes {luna.dma = 1 : i64}

// -----

// expected-error @below {{'luna.buffers' needs dictionaries of bytes, id, kind, name and offset, by ascending id}}
func.func private @buffers_39() attributes {luna.buffers = 7 : i64}

// -----

// expected-error @below {{'luna.buffers' needs dictionaries of bytes, id, kind, name and offset, by ascending id}}
func.func private @buffers_40() attributes {luna.buffers = [{id = 0 : i64}]}

// -----

// expected-error @below {{'luna.buffers' needs dictionaries of bytes, id, kind, name and offset, by ascending id}}
func.func private @buffers_41() attributes {luna.buffers = [{bytes = 4 : i64, id = 1 : i64, kind = "tensor", name = "x", offset = 0 : i64}, {bytes = 4 : i64, id = 0 : i64, kind = "tensor", name = "x", offset = 0 : i64}]}

// -----

// expected-error @below {{'luna.buffers' needs dictionaries of bytes, id, kind, name and offset, by ascending id}}
func.func private @buffers_42() attributes {luna.buffers = [{bytes = 4 : i64, id = 0 : i64, kind = "tensor", name = "x", offset = -16 : i64}]}

// -----

// expected-error @below {{'luna.buffers' needs dictionaries of bytes, id, kind, name and offset, by ascending id}}
func.func private @buffers_43() attributes {luna.buffers = [{bytes = 4 : i64, id = 1073741824 : i64, kind = "tensor", name = "x", offset = 0 : i64}]}

// -----

// expected-error @below {{plan attribute 'luna.plan' is missing or malformed}}
func.func private @plan_of_another_type() attributes {luna.plan = 7 : i64}

// -----

// expected-error @below {{plan attribute 'machine' is missing or malformed}}
func.func private @plan_without_fields() attributes {luna.plan = {}}

// -----

// expected-error @below {{attribute 'luna.plan_hints' needs dictionaries exact and best, of array<i8> by 32 hexadecimal digits, and the unit trusted}}
func.func private @hints_of_another_type() attributes {luna.plan_hints = 7 : i64}

// -----

// expected-error @below {{attribute 'luna.plan_hints' needs dictionaries exact and best, of array<i8> by 32 hexadecimal digits, and the unit trusted}}
func.func private @hints_of_another_group() attributes {luna.plan_hints = {worst = {}}}

// -----

// expected-error @below {{attribute 'luna.plan_hints' needs dictionaries exact and best, of array<i8> by 32 hexadecimal digits, and the unit trusted}}
func.func private @hints_that_are_not_a_dictionary() attributes {luna.plan_hints = {exact = 7 : i64}}

// -----

// expected-error @below {{attribute 'luna.plan_hints' needs dictionaries exact and best, of array<i8> by 32 hexadecimal digits, and the unit trusted}}
func.func private @hints_of_a_short_digest() attributes {luna.plan_hints = {exact = {"01" = array<i8: 1>}}}

// -----

// expected-error @below {{attribute 'luna.plan_hints' needs dictionaries exact and best, of array<i8> by 32 hexadecimal digits, and the unit trusted}}
func.func private @hints_of_a_digest_with_other_digits() attributes {luna.plan_hints = {exact = {"0123456789abcdef0123456789abcdeg" = array<i8: 1>}}}

// -----

// expected-error @below {{attribute 'luna.plan_hints' needs dictionaries exact and best, of array<i8> by 32 hexadecimal digits, and the unit trusted}}
func.func private @hints_of_another_element_type() attributes {luna.plan_hints = {exact = {"0123456789abcdef0123456789abcdef" = array<i32: 1>}}}

// -----

// expected-error @below {{attribute 'luna.plan_hints' needs dictionaries exact and best, of array<i8> by 32 hexadecimal digits, and the unit trusted}}
func.func private @hints_trusted_by_number() attributes {luna.plan_hints = {trusted = 1 : i64}}

// -----

// expected-error @below {{plan attribute 'plans' is missing or malformed}}
func.func private @joins_tried_without_plans() attributes {luna.joins_tried = {drafts = 1 : i64}}

// -----

// expected-error @below {{plan attribute 'luna.bound' is missing or malformed}}
func.func private @bound_of_another_type() attributes {luna.bound = 7 : i64}

// -----

// expected-error @below {{plan attribute 'tensor_bytes' is missing or malformed}}
func.func private @bound_without_tensors() attributes {luna.bound = {activation_bytes = 1 : i64, path = "straight", step = "a", total_bytes = 3 : i64}}

// -----

// expected-error @below {{plan attribute 'luna.cost' is missing or malformed}}
func.func private @cost_of_another_type() attributes {luna.cost = 7 : i64}

// -----

func.func @allocation_without_a_place() attributes {luna.arena_bytes = 64 : i64} {
  // expected-error @below {{allocation in shared memory has no 'luna.place', but its function is planned}}
  %a = memref.alloc() : memref<4xi8, #luna.memory<shared>>
  return
}

// -----

func.func @stack_without_a_place(%c: i1) attributes {luna.arena_bytes = 64 : i64} {
  scf.if %c {
    // expected-error @below {{allocation in shared memory has no 'luna.place', but its function is planned}}
    %a = memref.alloca() : memref<4xi8>
  }
  return
}

// -----

func.func @place_in_psram() attributes {luna.arena_bytes = 64 : i64} {
  // expected-error @below {{has a place in the arena, which is in shared memory; the allocation is not}}
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #luna.memory<psram>>
  return
}

// -----

func.func @kind_told_twice() attributes {luna.arena_bytes = 64 : i64} {
  // expected-error @below {{'luna.place' tells the kind, remove 'luna.kind'}}
  %a = memref.alloc() {luna.kind = "input", luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8>
  return
}

// -----

func.func @place_without_an_arena() {
  // expected-error @below {{is planned, but its function has no 'luna.arena_bytes'}}
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8>
  return
}

// -----

// Plans of earlier releases.
func.func @offset_of_an_allocation() {
  // expected-error @below {{unknown attribute 'luna.buffer'}}
  %a = memref.alloc() {luna.buffer = 0 : i64, luna.offset = 0 : i64} : memref<4xi8>
  return
}

// -----

// expected-error @below {{'luna.shapes' needs arrays of positive i64, at least two}}
func.func private @shape_of_one_version(tensor<4xi8> {luna.shapes = [array<i64: 4>]})

// -----

// expected-error @below {{'luna.shapes' needs arrays of positive i64, at least two}}
func.func private @shape_without_elements(tensor<4xi8> {luna.shapes = [array<i64: 4>, array<i64: 0>]})

// -----

// expected-error @below {{'luna.shapes' needs arrays of positive i64, at least two}}
func.func private @shapes_of_another_type(tensor<4xi8> {luna.shapes = [array<i32: 4>, array<i32: 2>]})

// -----

// expected-error @below {{'luna.cases' needs an array of i32 of at least 0, at least two}}
func.func private @case_of_one_version(tensor<1xi32> {luna.cases = array<i32: 0>})

// -----

// expected-error @below {{'luna.cases' needs an array of i32 of at least 0, at least two}}
func.func private @case_below_zero(tensor<1xi32> {luna.cases = array<i32: 0, -1>})

// -----

// expected-error @below {{'luna.code' belongs on builtin.module}}
func.func private @code() attributes {luna.code = {}}

// -----

// expected-error @below {{kernels}}
module attributes {luna.code = {unique_kernels = 1 : i64}} {
}

// -----

func.func @shape_of_too_many(%x: tensor<?xf32>) {
  // expected-error @below {{'luna.shape' needs a string for each result}}
  %0 = tensor.cast %x {luna.shape = ["4", "8"]} : tensor<?xf32> to tensor<4xf32>
  return
}

// -----

func.func @unknown_class(%x: tensor<?xf32>) {
  // expected-error @below {{'luna.class' needs one of ISDO, ISDOS, ISVDOS, EDO}}
  %0 = tensor.cast %x {luna.class = "static"} : tensor<?xf32> to tensor<4xf32>
  return
}

// -----

func.func @bounds_of_too_many(%x: tensor<?xf32>) {
  // expected-error @below {{'luna.bounds' needs an i64 of 0 to 2^28 for each result}}
  %0 = tensor.cast %x {luna.bounds = array<i64: 4, 8>} : tensor<?xf32> to tensor<4xf32>
  return
}

// -----

func.func @bound_too_large(%x: tensor<?xf32>) {
  // expected-error @below {{'luna.bounds' needs an i64 of 0 to 2^28 for each result}}
  %0 = tensor.cast %x {luna.bounds = array<i64: 268435457>} : tensor<?xf32> to tensor<4xf32>
  return
}

// -----

// expected-error @below {{'luna.sizes' needs strings}}
func.func private @sizes() attributes {luna.sizes = [4 : i64]}

// -----

// expected-error @below {{'luna.shape' belongs on operators with results}}
func.func private @shape_of_a_function() attributes {luna.shape = ["4"]}
