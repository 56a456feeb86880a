// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-choose-layout{layout=rows}))'

// expected-error @below {{layout is 'rows', allowed are auto, nhwc, planar and calls}}
func.func @main(%x: memref<4xi8>) {
  return
}
