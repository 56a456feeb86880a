// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-quantize-to-linalg))' | FileCheck %s

// Rounded to even as ONNX defines it; the constants stand in the body.
// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<1x8xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: i8):
// CHECK-NEXT: %[[SCALE:.*]] = arith.constant 5.000000e-02 : f32
// CHECK-NEXT: %[[QUOTIENT:.*]] = arith.divf %[[X]], %[[SCALE]] : f32
// CHECK-NEXT: %[[WHOLE:.*]] = math.roundeven %[[QUOTIENT]] : f32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant -3.000000e+00 : f32
// CHECK-NEXT: %[[MOVED:.*]] = arith.addf %[[WHOLE]], %[[ZERO]] : f32
// CHECK-NEXT: %[[LOW:.*]] = arith.constant -1.280000e+02 : f32
// CHECK-NEXT: %[[HIGH:.*]] = arith.constant 1.270000e+02 : f32
// CHECK-NEXT: %[[ABOVE:.*]] = arith.maximumf %[[MOVED]], %[[LOW]] : f32
// CHECK-NEXT: %[[WITHIN:.*]] = arith.minimumf %[[ABOVE]], %[[HIGH]] : f32
// CHECK-NEXT: %[[BYTE:.*]] = arith.fptosi %[[WITHIN]] : f32 to i8
// CHECK-NEXT: linalg.yield %[[BYTE]] : i8
func.func @main(%x: tensor<1x8xf32>) -> tensor<1x8xi8> {
  %scale = "tosa.const"() <{values = dense<0.05> : tensor<f32>}> : () -> tensor<f32>
  %zero = "tosa.const"() <{values = dense<-3> : tensor<i8>}> : () -> tensor<i8>
  %q = luna.quantize %x, %scale, %zero : (tensor<1x8xf32>, tensor<f32>, tensor<i8>) -> tensor<1x8xi8>
  return %q : tensor<1x8xi8>
}
