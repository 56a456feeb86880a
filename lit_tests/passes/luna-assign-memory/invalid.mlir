// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(luna-assign-memory)'

// expected-error @below {{has results; turn them into arguments with buffer-results-to-out-params first}}
func.func @results(%x: memref<4xi8>) -> memref<4xi8> {
  return %x : memref<4xi8>
}

// -----

// expected-error @below {{argument 0 is not a memref; bufferise function boundaries first}}
func.func @tensors(%x: tensor<4xi8>) {
  return
}

// -----

// expected-error @below {{argument 1 has a dynamic shape, static ones are planned}}
func.func @dynamic(%x: memref<4xi8>, %y: memref<?xi8>) {
  return
}

// -----

func.func @dynamic_alloc(%n: memref<index>) {
  %i = memref.load %n[] : memref<index>
  // expected-error @below {{allocation has a dynamic shape, static ones are planned}}
  %a = memref.alloc(%i) : memref<?xi8>
  return
}

// -----

func.func @dynamic_view(%x: memref<4xi8>, %n: memref<index>) {
  %i = memref.load %n[] : memref<index>
  // expected-error @below {{result has a dynamic shape, static ones are planned}}
  %v = memref.subview %x[0] [%i] [1] : memref<4xi8> to memref<?xi8, strided<[1]>>
  return
}

// -----

func.func @transfer(%x: memref<4xi8>) {
  %a = memref.alloc() : memref<4xi8>
  // expected-error @below {{transfer before the plan; luna-insert-dma makes them}}
  %t = luna.dma_start %x to %a : memref<4xi8> to memref<4xi8>
  luna.dma_wait %t
  return
}

// -----

func.func @not_bufferised(%x: memref<4xi8>) {
  // expected-error @below {{result is a tensor; bufferise first}}
  %t = tensor.empty() : tensor<4xi8>
  return
}

// -----

// expected-error @below {{unstructured control flow; lift it with lift-cf-to-scf first}}
func.func @unstructured(%c: memref<i1>) {
  %cond = memref.load %c[] : memref<i1>
  cf.cond_br %cond, ^a, ^b
^a:
  cf.br ^b
^b:
  return
}

// -----

func.func @first(%x: memref<4xi8>) {
  return
}
// expected-error @below {{second function with a body; a model is one function, inline the others first}}
func.func @second(%x: memref<4xi8>) {
  return
}

// -----

// expected-error @below {{no function with a body to compile}}
module {
  func.func private @declared(memref<4xi8>)
}
