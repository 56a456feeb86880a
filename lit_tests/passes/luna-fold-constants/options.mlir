// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-fold-constants)' | FileCheck %s --check-prefix=ALL
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-fold-constants{max-steps=100})' | FileCheck %s --check-prefix=FEW
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-fold-constants{max-bytes=100})' | FileCheck %s --check-prefix=SMALL

// The first sum takes 1000 additions, the others fewer: what is left is spent
// in program order.
// ALL-LABEL: func.func @main
// ALL-NOT: linalg.generic
// ALL-NOT: tensor.extract_slice
// ALL: return
// FEW-LABEL: func.func @main
// FEW: linalg.generic
// FEW-NOT: tensor.extract_slice
// FEW: return
// SMALL-LABEL: func.func @main
// SMALL-NOT: linalg.generic
// SMALL: tensor.generate
// SMALL: return
func.func @main() -> (tensor<f32>, tensor<4xf32>, i32) {
  %x = arith.constant dense<1.0> : tensor<1000xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<1000xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %next = arith.addf %in, %out : f32
    linalg.yield %next : f32
  } -> tensor<f32>
  %part = tensor.extract_slice %x[0] [4] [1] : tensor<1000xf32> to tensor<4xf32>
  %c7 = arith.constant 7 : index
  %list = tensor.generate {
  ^bb0(%i: index):
    %n = arith.index_cast %i : index to i32
    tensor.yield %n : i32
  } : tensor<30xi32>
  %seven = tensor.extract %list[%c7] : tensor<30xi32>
  return %sum, %part, %seven : tensor<f32>, tensor<4xf32>, i32
}
