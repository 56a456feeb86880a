// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-quantize-to-linalg))' --verify-diagnostics

func.func @dynamic(%x: tensor<?xf32>, %scale: tensor<f32>) -> tensor<?xi8> {
  // expected-error@+1 {{has a dynamic shape, needs a static one}}
  %q = luna.quantize %x, %scale : (tensor<?xf32>, tensor<f32>) -> tensor<?xi8>
  return %q : tensor<?xi8>
}
