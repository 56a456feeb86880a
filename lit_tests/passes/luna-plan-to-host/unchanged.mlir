// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-plan-to-host)' | FileCheck %s

// CHECK-LABEL: func.func @main(%{{.*}}: memref<4xi8> {luna.state = "s"}, %{{.*}}: tensor<4xi8>)
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<4xi8, strided<[2]>>
// CHECK-NEXT: return
func.func @main(%x: memref<4xi8> {luna.state = "s"}, %y: tensor<4xi8>) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xi8, strided<[2]>>
  return
}
