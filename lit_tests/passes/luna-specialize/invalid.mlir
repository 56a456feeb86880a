// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(luna-specialize)'

// expected-error @below {{input 0 is a state whose shape depends on the open sizes; a state has one shape, since it outlives a call}}
func.func @state(%s: tensor<1xi8> {luna.state = "s"}) -> (tensor<1xi8> {luna.state = "s"}) attributes {luna.version = "1"} {
  return %s : tensor<1xi8>
}
func.func @state_0(%s: tensor<2xi8> {luna.state = "s"}) -> (tensor<2xi8> {luna.state = "s"}) attributes {luna.version = "2"} {
  return %s : tensor<2xi8>
}

// -----

// expected-error @below {{output 0 has 1 dimensions in version 1 and 2 in 2}}
func.func @rank(%x: tensor<1xi8>) -> tensor<1xi8> attributes {luna.version = "1"} {
  return %x : tensor<1xi8>
}
func.func @rank_0(%x: tensor<1xi8>) -> tensor<1x1xi8> attributes {luna.version = "2"} {
  %s = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %y = tosa.reshape %x, %s : (tensor<1xi8>, !tosa.shape<2>) -> tensor<1x1xi8>
  return %y : tensor<1x1xi8>
}

// -----

// expected-error @below {{input 0 has more than 2^63 - 1 elements}}
func.func @elements(%x: tensor<4294967296x4294967296xi8>) attributes {luna.version = "1"} {
  return
}
func.func @elements_0(%x: tensor<1x1xi8>) attributes {luna.version = "2"} {
  return
}

// -----

// expected-error @below {{a branch of the model is named 'shape', as is the one between its versions}}
func.func @named(%c: i1) attributes {luna.version = "1"} {
  scf.if %c {
    luna.label "shape"
  }
  return
}
func.func @named_0(%c: i1) attributes {luna.version = "2"} {
  return
}

// -----

// expected-error @below {{is one version alone, needs at least two}}
func.func @alone() attributes {luna.version = "1"} {
  return
}

// -----

func.func @counts(%x: tensor<1xi8>) attributes {luna.version = "1"} {
  return
}
// expected-error @below {{has other numbers of inputs or outputs than version 1}}
func.func @counts_0() attributes {luna.version = "2"} {
  return
}
