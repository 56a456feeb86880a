// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[R:.*]] = linalg.generic
// CHECK-SAME: ins(%arg0 : tensor<1x16xi8>) outs(%arg1 : tensor<1x16xi8>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %{{.*}}: i8):
// CHECK: %[[AT:.*]] = arith.index_cast %[[X]] : i8 to index
// CHECK: %[[ENTRY:.*]] = arith.addi %[[AT]], %c128
// CHECK: %[[Y:.*]] = tensor.extract %arg2[%[[ENTRY]]]
// CHECK: linalg.yield %[[Y]] : i8
// CHECK: return %[[R]]
func.func @main(%x: tensor<1x16xi8>, %o: tensor<1x16xi8>, %t: tensor<256xi8>) -> tensor<1x16xi8> {
  %r = luna.table ins(%x, %t : tensor<1x16xi8>, tensor<256xi8>)
      outs(%o : tensor<1x16xi8>) -> tensor<1x16xi8>
  return %r : tensor<1x16xi8>
}
