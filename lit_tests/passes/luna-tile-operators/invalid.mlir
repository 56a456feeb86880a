// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=pluto}))' 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-tile-operators))'

// MACHINE: error: {{.*}}'pluto'

func.func @dynamic_strides(%z: memref<1x8x8x8xi8, strided<[?, ?, ?, ?]>>, %v: memref<1x6x6x16xi8>, %k: memref<16x3x3x8xi8>) {
  // expected-error @below {{operand 0 needs static strides, extents below 2^31 and an element type of the runtime}}
  luna.conv2d ins(%z, %k : memref<1x8x8x8xi8, strided<[?, ?, ?, ?]>>, memref<16x3x3x8xi8>) outs(%v : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = shift, shift = 7>}
  return
}

// -----

// What is live depends on the way there.
// expected-error @below {{unstructured control flow; lift it with lift-cf-to-scf first}}
func.func @unstructured() {
  cf.br ^next
^next:
  return
}
