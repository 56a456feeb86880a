// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(luna-prepare-bufferization{levels=0})'

// expected-error @below {{levels must be at least 1}}
module {
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}
}
