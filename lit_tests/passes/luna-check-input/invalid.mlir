// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-check-input))'

func.func @cf(%c: tensor<1xi1>) {
  // expected-error @below {{control flow cannot be lifted to scf (does it have an exit?); write it as scf.if, scf.for or scf.while}}
  cf.br ^loop
^loop:
  cf.br ^loop
}

// -----

// expected-error @below {{argument 1 is not a tensor (use tensor<1x…> for a scalar)}}
func.func @scalar(%x: tensor<4xi8>, %c: i1) {
  return
}

// -----

// expected-error @below {{result 0 has a dynamic shape, must be static}}
func.func @dynamic_result(%x: tensor<4xi8>) -> tensor<?xi8> {
  %0 = tensor.cast %x : tensor<4xi8> to tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

// expected-error @below {{argument 0 has a dynamic shape, must be static}}
func.func @unranked(%x: tensor<*xi8>) {
  return
}

// -----

func.func @dynamic_inside(%x: tensor<4xi8>) {
  // expected-error @below {{result has a dynamic shape, must be static}}
  %0 = tosa.cast %x : (tensor<4xi8>) -> tensor<?xi16>
  return
}

// -----

// expected-error @below {{argument 0 has an element type other than i1, i8, i16, i32, i64, f32, f64 and index}}
func.func @element(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  return
}

// -----

func.func @endless() -> tensor<4xi8> {
  // expected-error @below {{control flow never comes to an end}}
  %0 = ub.poison : tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func private @elsewhere(tensor<4xi8>) -> tensor<4xi8>
func.func @calls_declared(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @below {{calls 'elsewhere', which has no body}}
  %0 = func.call @elsewhere(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @recursive(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @below {{call of 'recursive' cannot be inlined; is it recursive, or does it branch by cf where one block is allowed?}}
  %0 = func.call @recursive(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// expected-error @below {{rank 17 is beyond 16, the greatest that is compiled}}
func.func @rank_of_argument(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xi8>) {
  return
}

// -----

func.func @rank_inside(%x: tensor<4xi8>) {
  // expected-error @below {{rank 17 is beyond 16, the greatest that is compiled}}
  %0 = tensor.expand_shape %x [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]] output_shape [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4] : tensor<4xi8> into tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xi8>
  return
}

// -----

func.func @loops_in_loops(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r0 = scf.for %i0 = %c0 to %c2 step %c1 iter_args(%a0 = %x) -> (tensor<4xi8>) {
  %r1 = scf.for %i1 = %c0 to %c2 step %c1 iter_args(%a1 = %a0) -> (tensor<4xi8>) {
  %r2 = scf.for %i2 = %c0 to %c2 step %c1 iter_args(%a2 = %a1) -> (tensor<4xi8>) {
  %r3 = scf.for %i3 = %c0 to %c2 step %c1 iter_args(%a3 = %a2) -> (tensor<4xi8>) {
  %r4 = scf.for %i4 = %c0 to %c2 step %c1 iter_args(%a4 = %a3) -> (tensor<4xi8>) {
  %r5 = scf.for %i5 = %c0 to %c2 step %c1 iter_args(%a5 = %a4) -> (tensor<4xi8>) {
  %r6 = scf.for %i6 = %c0 to %c2 step %c1 iter_args(%a6 = %a5) -> (tensor<4xi8>) {
  %r7 = scf.for %i7 = %c0 to %c2 step %c1 iter_args(%a7 = %a6) -> (tensor<4xi8>) {
  %r8 = scf.for %i8 = %c0 to %c2 step %c1 iter_args(%a8 = %a7) -> (tensor<4xi8>) {
  %r9 = scf.for %i9 = %c0 to %c2 step %c1 iter_args(%a9 = %a8) -> (tensor<4xi8>) {
  %r10 = scf.for %i10 = %c0 to %c2 step %c1 iter_args(%a10 = %a9) -> (tensor<4xi8>) {
  %r11 = scf.for %i11 = %c0 to %c2 step %c1 iter_args(%a11 = %a10) -> (tensor<4xi8>) {
  scf.yield %a11 : tensor<4xi8>
  }
  scf.yield %r11 : tensor<4xi8>
  }
  scf.yield %r10 : tensor<4xi8>
  }
  scf.yield %r9 : tensor<4xi8>
  }
  scf.yield %r8 : tensor<4xi8>
  }
  scf.yield %r7 : tensor<4xi8>
  }
  scf.yield %r6 : tensor<4xi8>
  }
  scf.yield %r5 : tensor<4xi8>
  }
  scf.yield %r4 : tensor<4xi8>
  }
  scf.yield %r3 : tensor<4xi8>
  }
  scf.yield %r2 : tensor<4xi8>
  }
  scf.yield %r1 : tensor<4xi8>
  }
  return %r0 : tensor<4xi8>
}

// -----

func.func @one_loop_too_many(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r0 = scf.for %i0 = %c0 to %c2 step %c1 iter_args(%a0 = %x) -> (tensor<4xi8>) {
  %r1 = scf.for %i1 = %c0 to %c2 step %c1 iter_args(%a1 = %a0) -> (tensor<4xi8>) {
  %r2 = scf.for %i2 = %c0 to %c2 step %c1 iter_args(%a2 = %a1) -> (tensor<4xi8>) {
  %r3 = scf.for %i3 = %c0 to %c2 step %c1 iter_args(%a3 = %a2) -> (tensor<4xi8>) {
  %r4 = scf.for %i4 = %c0 to %c2 step %c1 iter_args(%a4 = %a3) -> (tensor<4xi8>) {
  %r5 = scf.for %i5 = %c0 to %c2 step %c1 iter_args(%a5 = %a4) -> (tensor<4xi8>) {
  %r6 = scf.for %i6 = %c0 to %c2 step %c1 iter_args(%a6 = %a5) -> (tensor<4xi8>) {
  %r7 = scf.for %i7 = %c0 to %c2 step %c1 iter_args(%a7 = %a6) -> (tensor<4xi8>) {
  %r8 = scf.for %i8 = %c0 to %c2 step %c1 iter_args(%a8 = %a7) -> (tensor<4xi8>) {
  %r9 = scf.for %i9 = %c0 to %c2 step %c1 iter_args(%a9 = %a8) -> (tensor<4xi8>) {
  %r10 = scf.for %i10 = %c0 to %c2 step %c1 iter_args(%a10 = %a9) -> (tensor<4xi8>) {
  %r11 = scf.for %i11 = %c0 to %c2 step %c1 iter_args(%a11 = %a10) -> (tensor<4xi8>) {
  // expected-error @below {{loop is nested 13 deep, at most 12 are compiled; each level doubles the time}}
  %r12 = scf.for %i12 = %c0 to %c2 step %c1 iter_args(%a12 = %a11) -> (tensor<4xi8>) {
  scf.yield %a12 : tensor<4xi8>
  }
  scf.yield %r12 : tensor<4xi8>
  }
  scf.yield %r11 : tensor<4xi8>
  }
  scf.yield %r10 : tensor<4xi8>
  }
  scf.yield %r9 : tensor<4xi8>
  }
  scf.yield %r8 : tensor<4xi8>
  }
  scf.yield %r7 : tensor<4xi8>
  }
  scf.yield %r6 : tensor<4xi8>
  }
  scf.yield %r5 : tensor<4xi8>
  }
  scf.yield %r4 : tensor<4xi8>
  }
  scf.yield %r3 : tensor<4xi8>
  }
  scf.yield %r2 : tensor<4xi8>
  }
  scf.yield %r1 : tensor<4xi8>
  }
  return %r0 : tensor<4xi8>
}
