// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-quantize-to-linalg))' --split-input-file | FileCheck %s

// Scales along a dimension are an input, as are those of run time.
// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @scale_per_row
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[ROWS]], #{{.*}}]
// CHECK-SAME: ins(%arg0, %{{.*}} : tensor<2x8xi8>, tensor<2x1xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %[[SCALE:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[FLOAT:.*]] = arith.sitofp %[[X]] : i8 to f32
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[FLOAT]], %[[SCALE]] : f32
// CHECK-NEXT: linalg.yield %[[PRODUCT]] : f32
func.func @scale_per_row(%x: tensor<2x8xi8>) -> tensor<2x8xf32> {
  %scale = "tosa.const"() <{values = dense<[[0.5], [0.25]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
  %y = luna.dequantize %x, %scale : (tensor<2x8xi8>, tensor<2x1xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func.func @run_time
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0, %arg1, %arg2 : tensor<8xf32>, tensor<f32>, tensor<i8>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[SCALE:.*]]: f32, %[[ZERO:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT: arith.divf %[[X]], %[[SCALE]]
// CHECK-NEXT: math.roundeven
// CHECK-NEXT: arith.uitofp %[[ZERO]] : i8 to f32
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.constant 0.000000e+00
// CHECK-NEXT: arith.constant 2.550000e+02
func.func @run_time(%x: tensor<8xf32>, %scale: tensor<f32>, %zero: tensor<i8>) -> tensor<8xi8> {
  %q = luna.quantize %x, %scale, %zero unsigned : (tensor<8xf32>, tensor<f32>, tensor<i8>) -> tensor<8xi8>
  return %q : tensor<8xi8>
}

// -----

// The zero point of 32 bits comes off before, a float would not hold it.
// CHECK-LABEL: func.func @wide
// CHECK: ^bb0(%[[X:.*]]: i32, %{{.*}}: f32):
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 16777217 : i32
// CHECK-NEXT: %[[CENTRED:.*]] = arith.subi %[[X]], %[[ZERO]] : i32
// CHECK-NEXT: arith.sitofp %[[CENTRED]]
func.func @wide(%x: tensor<8xi32>) -> tensor<8xf32> {
  %scale = arith.constant dense<0.5> : tensor<1xf32>
  %zero = arith.constant dense<16777217> : tensor<1xi32>
  %y = luna.dequantize %x, %scale, %zero : (tensor<8xi32>, tensor<1xf32>, tensor<1xi32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Inside of control flow too, and without dimensions.
// CHECK-LABEL: func.func @scalar_in_a_branch
// CHECK: scf.if
// CHECK: linalg.generic {{.*}} iterator_types = []
// CHECK-NOT: luna.
func.func @scalar_in_a_branch(%c: i1, %x: tensor<f32>, %scale: tensor<f32>) -> tensor<f32> {
  %r = scf.if %c -> tensor<f32> {
    %q = luna.quantize %x, %scale rounding half_away : (tensor<f32>, tensor<f32>) -> tensor<i16>
    %y = luna.dequantize %q, %scale : (tensor<i16>, tensor<f32>) -> tensor<f32>
    scf.yield %y : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %r : tensor<f32>
}
