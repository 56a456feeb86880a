// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization)' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization,one-shot-bufferize{bufferize-function-boundaries},canonicalize,cse)' | FileCheck %s --check-prefix=BUFFERS

// The global that is there keeps its name; equal constants are one global, the
// last one first, as upstream has it.
// CHECK: memref.global "private" constant @__constant_xf32 : memref<f32> = dense<1.000000e+00> {alignment = 64 : i64}
// CHECK: memref.global "private" constant @__constant_2x2xi8_0 : memref<2x2xi8> = dense<{{.*}}[1, 2], [3, 4]]>
// CHECK: memref.global "private" @__constant_2x2xi8 : memref<2x2xi8>
memref.global "private" @__constant_2x2xi8 : memref<2x2xi8>

// Each use of a constant is of its own tensor; an unused one is gone, and one
// that is not a tensor stays.
// CHECK-LABEL: func.func @main
// CHECK: arith.constant 7 : i8
// CHECK: %[[G:.*]] = memref.get_global @__constant_2x2xi8_0
// CHECK: %[[A:.*]] = bufferization.to_tensor %[[G]] restrict : memref<2x2xi8> to tensor<2x2xi8>
// CHECK: %[[H:.*]] = memref.get_global @__constant_2x2xi8_0
// CHECK: %[[B:.*]] = bufferization.to_tensor %[[H]] restrict
// CHECK: %[[I:.*]] = memref.get_global @__constant_2x2xi8_0
// CHECK: %[[C:.*]] = bufferization.to_tensor %[[I]] restrict
// CHECK-NOT: arith.constant dense
// CHECK: linalg.add ins(%{{[A-Za-z0-9]+}}, %{{[A-Za-z0-9]+}} : tensor<2x2xi8>, tensor<2x2xi8>)

// What writes to a constant writes to another buffer.
// BUFFERS-LABEL: func.func @main
// BUFFERS: %[[G:.*]] = memref.get_global @__constant_2x2xi8_0
// BUFFERS-NOT: memref.get_global @__constant_2x2xi8_0
// BUFFERS: %[[COPY:.*]] = memref.alloc
// BUFFERS: linalg.add ins(%[[G]], %[[G]] : {{.*}}) outs(%[[COPY]]
func.func @main() -> (tensor<2x2xi8>, tensor<f32>, i8) {
  %n = arith.constant 7 : i8
  %a = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %b = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %s = arith.constant dense<1.0> : tensor<f32>
  %r = linalg.add ins(%a, %a : tensor<2x2xi8>, tensor<2x2xi8>) outs(%b : tensor<2x2xi8>) -> tensor<2x2xi8>
  return %r, %s, %n : tensor<2x2xi8>, tensor<f32>, i8
}
