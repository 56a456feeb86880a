// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-input))' | FileCheck %s

// What can be compiled stays as it is.
// CHECK-LABEL: func.func @fine(%{{.*}}: tensor<1x4xi8>) -> tensor<1x4xi8>
// CHECK-NEXT: return
func.func @fine(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  return %x : tensor<1x4xi8>
}

func.func private @declaration(tensor<?xi8>)
