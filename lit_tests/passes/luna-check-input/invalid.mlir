// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-check-input))'

func.func @cf(%c: tensor<1xi1>) {
  // expected-error @below {{control flow cannot be lifted to scf (does it have an exit?); write it as scf.if, scf.for or scf.while}}
  cf.br ^loop
^loop:
  cf.br ^loop
}

// -----

// expected-error @below {{argument 1 is no tensor; give a scalar the type tensor<1x…>}}
func.func @scalar(%x: tensor<4xi8>, %c: i1) {
  return
}

// -----

// expected-error @below {{result 0 has a dynamic shape, models of static shape are compiled}}
func.func @dynamic_result(%x: tensor<4xi8>) -> tensor<?xi8> {
  %0 = tensor.cast %x : tensor<4xi8> to tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

// expected-error @below {{argument 0 has a dynamic shape, models of static shape are compiled}}
func.func @unranked(%x: tensor<*xi8>) {
  return
}

// -----

func.func @dynamic_inside(%x: tensor<4xi8>) {
  // expected-error @below {{result has a dynamic shape, models of static shape are compiled}}
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
