// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-quantize-to-linalg{machine=venus integers=true}))' --split-input-file | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-quantize-to-linalg{machine=arcs integers=true}))' --split-input-file | FileCheck %s --check-prefix=FLOATS
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-quantize-to-linalg{machine=venus}))' --split-input-file | FileCheck %s --check-prefix=FLOATS

// The core of venus computes floats in software: the ordered bits are clamped
// to where the staircase starts and ends, a product guesses the step, the starts
// of this step and the next put it right. That of arcs has an FPU.
// CHECK-LABEL: func.func @main
// CHECK: %[[STARTS:.*]] = "tosa.const"() <{values = dense<"0x{{.*}}"> : tensor<259xi32>}>
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<1x4096xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: i8):
// CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// CHECK: arith.shrsi %[[BITS]]
// CHECK: arith.maxsi
// CHECK: %[[CLAMPED:.*]] = arith.minsi
// CHECK: arith.muli
// CHECK: %[[START:.*]] = tensor.extract %[[STARTS]]
// CHECK-NEXT: arith.cmpi slt, %[[CLAMPED]], %[[START]]
// CHECK: %[[NEXT:.*]] = tensor.extract %[[STARTS]]
// CHECK-NEXT: arith.cmpi sge, %[[CLAMPED]], %[[NEXT]]
// CHECK: arith.trunci %{{.*}} : i32 to i8
// CHECK-NOT: arith.divf
// FLOATS-LABEL: func.func @main
// FLOATS-NOT: tensor.extract
// FLOATS: arith.divf
func.func @main(%x: tensor<1x4096xf32>) -> tensor<1x4096xi8> {
  %scale = "tosa.const"() <{values = dense<0.05> : tensor<f32>}> : () -> tensor<f32>
  %zero = "tosa.const"() <{values = dense<-3> : tensor<i8>}> : () -> tensor<i8>
  %q = luna.quantize %x, %scale, %zero rounding half_away : (tensor<1x4096xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4096xi8>
  return %q : tensor<1x4096xi8>
}

// -----

// What has no staircase of at most 256 steps, or too few elements to pay for
// its table, stays as it is: a scale per row, of run time, that is negative; 16
// bits; two elements.
// CHECK-LABEL: func.func @floats
// CHECK-COUNT-5: arith.divf
// CHECK-NOT: tensor.extract
// FLOATS-LABEL: func.func @floats
func.func @floats(%x: tensor<2x2048xf32>, %s: tensor<f32>, %few: tensor<2xf32>) -> (tensor<2x2048xi8>, tensor<2x2048xi8>, tensor<2x2048xi8>, tensor<2x2048xi16>, tensor<2xi8>) {
  %rows = "tosa.const"() <{values = dense<[[0.5], [0.25]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
  %negative = "tosa.const"() <{values = dense<-0.5> : tensor<f32>}> : () -> tensor<f32>
  %scale = "tosa.const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %a = luna.quantize %x, %rows : (tensor<2x2048xf32>, tensor<2x1xf32>) -> tensor<2x2048xi8>
  %b = luna.quantize %x, %s : (tensor<2x2048xf32>, tensor<f32>) -> tensor<2x2048xi8>
  %c = luna.quantize %x, %negative : (tensor<2x2048xf32>, tensor<f32>) -> tensor<2x2048xi8>
  %d = luna.quantize %x, %scale : (tensor<2x2048xf32>, tensor<f32>) -> tensor<2x2048xi16>
  %e = luna.quantize %few, %scale : (tensor<2xf32>, tensor<f32>) -> tensor<2xi8>
  return %a, %b, %c, %d, %e : tensor<2x2048xi8>, tensor<2x2048xi8>, tensor<2x2048xi8>, tensor<2x2048xi16>, tensor<2xi8>
}

// -----

// Unsigned, clamped to what a ReLU leaves: eleven numbers.
// CHECK-LABEL: func.func @clamped
// CHECK: "tosa.const"{{.*}} : tensor<14xi32>
// CHECK: tensor.extract
// FLOATS-LABEL: func.func @clamped
// FLOATS: arith.divf
func.func @clamped(%x: tensor<1024xf32>) -> tensor<1024xi8> {
  %scale = "tosa.const"() <{values = dense<0.1> : tensor<f32>}> : () -> tensor<f32>
  %zero = "tosa.const"() <{values = dense<10> : tensor<i8>}> : () -> tensor<i8>
  %q = luna.quantize %x, %scale, %zero unsigned rounding half_away {clamp_max = 20 : i32, clamp_min = 10 : i32} : (tensor<1024xf32>, tensor<f32>, tensor<i8>) -> tensor<1024xi8>
  return %q : tensor<1024xi8>
}
