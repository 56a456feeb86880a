// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(luna-plan-to-host)'

func.func @operator(%x: memref<4xi8>) {
  // expected-error@+1 {{run luna-lower-plan and luna-to-linalg first}}
  luna.add ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}
