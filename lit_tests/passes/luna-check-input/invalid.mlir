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

// expected-error @below {{argument 0 has an element type other than i1, i8, i16, i32, i64, f16, bf16, f32, f64 and index}}
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

func.func @custom(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @below {{operator 'tosa.custom' is not supported}}
  %0 = tosa.custom %x {operator_name = "step", domain_name = "none", implementation_attrs = ""} : (tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @vector(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  // expected-error @below {{operator 'vector.transfer_read' is not supported}}
  %v = vector.transfer_read %x[%c0], %f : tensor<4xf32>, vector<4xf32>
  %0 = vector.transfer_write %v, %x[%c0] : vector<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @parallel(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'scf.forall' is not supported}}
  %0 = scf.forall (%i) in (4) shared_outs(%o = %x) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @small_float(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{floats other than f16, bf16, f32 and f64 are not supported}}
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xf8E5M2>
  %1 = tosa.cast %0 : (tensor<4xf8E5M2>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @beyond(%x: tensor<64xi8>) -> tensor<i8> {
  %c = arith.constant 64 : index
  // expected-error @below {{index 64 in dimension 0, which has 64 elements}}
  %e = tensor.extract %x[%c] : tensor<64xi8>
  %r = tensor.from_elements %e : tensor<i8>
  return %r : tensor<i8>
}

// -----

func.func @negative(%x: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %v = arith.constant 1 : i8
  %c0 = arith.constant 0 : index
  %c = arith.constant -1 : index
  // expected-error @below {{index -1 in dimension 1, which has 8 elements}}
  %r = tensor.insert %v into %x[%c0, %c] : tensor<4x8xi8>
  return %r : tensor<4x8xi8>
}
