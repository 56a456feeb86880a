// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(luna-to-llvm)'

// expected-error @below {{function has no arena; run luna-lower-plan first}}
func.func @no_arena() {
  return
}

// -----

// expected-error @below {{argument 0 is not a memref of static shape}}
func.func @scalar(%n: index, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{argument 1 is an input after an output}}
func.func @order(%out: memref<4xi8> {bufferize.result}, %in: memref<4xi8>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

func.func @alloc(%arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  // expected-error @below {{allocation is not part of the arena; run luna-plan-memory and luna-lower-plan first}}
  %0 = memref.alloc() : memref<4xi8>
  return
}

// -----

func.func private @other()

func.func @call(%arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  // expected-error @below {{calls another function; inline it first}}
  call @other() : () -> ()
  return
}

// -----

// expected-error @below {{global is not a constant; only constants are lowered}}
memref.global "private" @variable : memref<4xi8> = dense<0>

func.func @main(%arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

func.func @result(%arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i8
  // expected-error @below {{has memref operands and a result, which the host core cannot compute; operators write their operands}}
  %0 = memref.atomic_rmw addi %one, %arena[%c0] : (i8, memref<16xi8, #luna.memory<shared>>) -> i8
  return
}

// -----

func.func @rank(%in: memref<3x3x3x3x3x3x3x3xi8>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  %c0 = arith.constant 0 : index
  %part = memref.subview %in[0, 0, 0, 0, 0, 0, 0, 0] [2, 2, 2, 2, 2, 2, 2, 2] [1, 1, 1, 1, 1, 1, 1, 1] : memref<3x3x3x3x3x3x3x3xi8> to memref<2x2x2x2x2x2x2x2xi8, strided<[2187, 729, 243, 81, 27, 9, 3, 1]>>
  %one = arith.constant 1 : i8
  // expected-error @below {{operator of the host core needs memrefs of static shape and strides, of up to 6 dimensions or contiguous}}
  memref.store %one, %part[%c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0] : memref<2x2x2x2x2x2x2x2xi8, strided<[2187, 729, 243, 81, 27, 9, 3, 1]>>
  return
}

// -----

// expected-error @below {{inputs and outputs may have up to 8 dimensions}}
func.func @many_dimensions(%in: memref<1x1x1x1x1x1x1x2x2xi8>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{inputs and outputs may be i1, i8, i16, i32, i64, f16, bf16, f32 or f64}}
func.func @element_type(%in: memref<2xi4>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{value is not dense; write it as dense<…>}}
memref.global "private" constant @resource : memref<4xi8> = dense_resource<blob>

func.func @main(%arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0100000001020304"
    }
  }
#-}

// -----

// expected-error @below {{global has no static size}}
memref.global "private" constant @element : memref<1xcomplex<f32>> = dense<(1.0, 2.0)>

func.func @main(%arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

func.func @cases(%n: memref<index>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  %i = memref.load %n[] : memref<index>
  // expected-error @below {{case is beyond 32 bits}}
  scf.index_switch %i
  case 5000000000 {
    scf.yield
  }
  default {
  }
  return
}

// -----

func.func @strides(%n: memref<index>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = [{bytes = 16 : i64, id = 0 : i64, kind = "tensor", name = "x", offset = 0 : i64}]} {
  %i7 = arith.constant 7 : i8
  %c0 = arith.constant 0 : index
  %i = memref.load %n[] : memref<index>
  %0 = luna.buffer 0 of %arena at 0 : memref<16xi8, #luna.memory<shared>> to memref<4x4xi8, #luna.memory<shared>>
  %1 = memref.cast %0 : memref<4x4xi8, #luna.memory<shared>> to memref<4x4xi8, strided<[?, 1], offset: ?>, #luna.memory<shared>>
  // expected-error @below {{view of a memref with dynamic strides, static ones can be addressed}}
  %2 = memref.subview %1[%i, 0] [1, 4] [1, 1] : memref<4x4xi8, strided<[?, 1], offset: ?>, #luna.memory<shared>> to memref<4xi8, strided<[1], offset: ?>, #luna.memory<shared>>
  linalg.fill ins(%i7 : i8) outs(%2 : memref<4xi8, strided<[1], offset: ?>, #luna.memory<shared>>)
  return
}

// -----

func.func @tensor(%x: memref<4xi8>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  %t = tensor.empty() : tensor<4xi8>
  %w = tensor.empty() : tensor<256xi8>
  // expected-error @below {{is in tensor form; bufferise first}}
  %0 = luna.table ins(%t, %w : tensor<4xi8>, tensor<256xi8>) outs(%t : tensor<4xi8>) -> tensor<4xi8>
  return
}

// -----

func.func @transfer(%x: memref<3000000000xi8, #luna.memory<psram>>, %y: memref<3000000000xi8, #luna.memory<psram>>, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  // expected-error @below {{transfer has no static size below 2^31 bytes}}
  %0 = luna.dma_start %x to %y : memref<3000000000xi8, #luna.memory<psram>> to memref<3000000000xi8, #luna.memory<psram>>
  luna.dma_wait %0
  return
}

// -----

func.func @returned(%arena: memref<16xi8, #luna.memory<shared>>) -> memref<4xi8, #luna.memory<shared>> attributes {luna.buffers = [{bytes = 16 : i64, id = 0 : i64, kind = "tensor", name = "x", offset = 0 : i64}]} {
  %c0 = arith.constant 0 : index
  %0 = luna.buffer 0 of %arena at 0 : memref<16xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<shared>>
  // expected-error @below {{operator on memrefs has no lowering}}
  return %0 : memref<4xi8, #luna.memory<shared>>
}

// -----

// expected-error @below {{state argument 0 is given and never taken}}
func.func @never_taken(%s: memref<4xi8> {bufferize.result, luna.state = "s"}, %arena: memref<0xi8>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{state argument 1 is given with another type than taken}}
func.func @other_type(%s: memref<4xi8> {luna.state = "s"}, %t: memref<8xi8> {bufferize.result, luna.state = "s"}, %arena: memref<0xi8>) attributes {luna.buffers = []} {
  return
}


// -----

// expected-error @below {{argument 1 needs luna.shapes for each of luna.cases}}
func.func @shapes_of_fewer_versions(%n: memref<1xi32> {luna.cases = array<i32: 0, 1, 2>}, %x: memref<4xi8> {luna.shapes = [array<i64: 2>, array<i64: 4>]}, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{argument 1 has versions of more than 8 dimensions}}
func.func @rank(%n: memref<1xi32> {luna.cases = array<i32: 0, 1>}, %x: memref<4xi8> {luna.shapes = [array<i64: 1, 1, 1, 1, 1, 1, 1, 1, 2>, array<i64: 4>]}, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{argument 1 has versions of different ranks}}
func.func @ranks(%n: memref<1xi32> {luna.cases = array<i32: 0, 1>}, %x: memref<4xi8> {luna.shapes = [array<i64: 2>, array<i64: 2, 2>]}, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{argument 1 has a version of more than 2^31 - 1 rows}}
func.func @long(%n: memref<1xi32> {luna.cases = array<i32: 0, 1>}, %x: memref<4xi8> {luna.shapes = [array<i64: 2>, array<i64: 2147483648>]}, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{argument 0 has luna.cases, but there is no switch 'shape'}}
func.func @no_switch(%n: memref<1xi32> {luna.cases = array<i32: 0, 1>}, %x: memref<4xi8> {luna.shapes = [array<i64: 2>, array<i64: 4>]}, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  return
}

// -----

// expected-error @below {{argument 0 names a case that the switch 'shape' does not have}}
func.func @no_case(%n: memref<1xi32> {luna.cases = array<i32: 0, 2>}, %x: memref<4xi8> {luna.shapes = [array<i64: 2>, array<i64: 4>]}, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  %c0 = arith.constant 0 : index
  scf.index_switch %c0
  case 0 {
    luna.label "shape" = "2"
    scf.yield
  }
  default {
    luna.label "shape" = "4"
  }
  return
}
