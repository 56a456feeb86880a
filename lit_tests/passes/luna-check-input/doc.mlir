// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-input))' | FileCheck %s

// What can be compiled stays as it is; inputs may not be written to.
// CHECK-LABEL: func.func @fine(
// CHECK-SAME: %{{.*}}: tensor<1x4xi8> {bufferization.writable = false}
// CHECK-SAME: %{{.*}}: tensor<2xi8> {luna.state = "s"}) -> tensor<1x4xi8>
// CHECK-NEXT: return
func.func @fine(%x: tensor<1x4xi8>, %s: tensor<2xi8> {luna.state = "s"}) -> tensor<1x4xi8> {
  return %x : tensor<1x4xi8>
}

func.func private @declaration(tensor<?xi8>)
