// Every op in tensor and in memref form: printed, parsed again, and through
// the generic form.
// RUN: luna-opt %s | luna-opt | FileCheck %s
// RUN: luna-opt --mlir-print-op-generic %s | luna-opt | FileCheck %s

// CHECK-LABEL: func.func @conv2d_tensor
// CHECK: %[[R:.*]] = luna.conv2d ins(%{{.*}}, %{{.*}} : tensor<1x8x8x4xi8>, tensor<8x3x3x4xi8>)
// CHECK-SAME: bias(%{{.*}} : tensor<8xi32>) table(%{{.*}} : tensor<2x8xi32>) outs(%{{.*}} : tensor<1x8x8x8xi8>)
// CHECK-SAME: {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = multiplier, per_channel = true>} -> tensor<1x8x8x8xi8>
func.func @conv2d_tensor(%x: tensor<1x8x8x4xi8>, %w: tensor<8x3x3x4xi8>, %b: tensor<8xi32>, %t: tensor<2x8xi32>, %o: tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> {
  %r = luna.conv2d ins(%x, %w : tensor<1x8x8x4xi8>, tensor<8x3x3x4xi8>)
      bias(%b : tensor<8xi32>) table(%t : tensor<2x8xi32>)
      outs(%o : tensor<1x8x8x8xi8>) {
        pad = array<i64: 1, 1, 1, 1>,
        requant = #luna.requant<mode = multiplier, per_channel = true>
      } -> tensor<1x8x8x8xi8>
  return %r : tensor<1x8x8x8xi8>
}

// CHECK-LABEL: func.func @conv2d_memref_tiled
// CHECK: luna.conv2d ins(%{{.*}}, %{{.*}} : memref<1x8x8x4xi8>, memref<3x3x4x2xi8>)
// CHECK-SAME: scratch(%{{.*}} : memref<64xi8>) outs(%{{.*}} : memref<1x3x3x8xi8>)
// CHECK-SAME: {input_zp = -3 : i32, kind = 1 : i32,
// CHECK-SAME: requant = #luna.requant<mode = shift, shift = 7>,
// CHECK-SAME: stride = array<i64: 2, 2>, tiling = array<i32: 1, 2, 3, 4, 5, 6, 7, 8, 0>, weight_zp = 2 : i32}
func.func @conv2d_memref_tiled(%x: memref<1x8x8x4xi8>, %w: memref<3x3x4x2xi8>, %s: memref<64xi8>, %o: memref<1x3x3x8xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x4xi8>, memref<3x3x4x2xi8>)
      scratch(%s : memref<64xi8>) outs(%o : memref<1x3x3x8xi8>) {
        kind = 1 : i32, stride = array<i64: 2, 2>, input_zp = -3 : i32, weight_zp = 2 : i32,
        requant = #luna.requant<mode = shift, shift = 7>, tiling = array<i32: 1, 2, 3, 4, 5, 6, 7, 8, 0>}
  return
}

// CHECK-LABEL: func.func @conv2d_folded
// CHECK: luna.conv2d {{.*}} {folded_zp = -128 : i32, requant = #luna.requant<>}
// CHECK: luna.matmul {{.*}} {folded_zp = 5 : i32, requant = #luna.requant<>}
// CHECK: luna.conv2d {{.*}} bias({{.*}} : memref<2x3xi32>) {{.*}} {folded_zp = -128 : i32, pad
func.func @conv2d_folded(%x: memref<1x2x2x4xi8>, %w: memref<3x1x1x4xi8>, %b: memref<3xi32>, %o: memref<1x2x2x3xi32>,
                         %l: memref<1x2x4xi8>, %r: memref<1x4x3xi8>, %p: memref<1x2x3xi32>,
                         %v: memref<3x3x1x4xi8>, %c: memref<2x3xi32>) {
  luna.conv2d ins(%x, %w : memref<1x2x2x4xi8>, memref<3x1x1x4xi8>) bias(%b : memref<3xi32>) outs(%o : memref<1x2x2x3xi32>)
      {folded_zp = -128 : i32, requant = #luna.requant<>}
  luna.matmul ins(%l, %r : memref<1x2x4xi8>, memref<1x4x3xi8>) bias(%b : memref<3xi32>) outs(%p : memref<1x2x3xi32>)
      {folded_zp = 5 : i32, requant = #luna.requant<>}
  luna.conv2d ins(%x, %v : memref<1x2x2x4xi8>, memref<3x3x1x4xi8>) bias(%c : memref<2x3xi32>) outs(%o : memref<1x2x2x3xi32>)
      {folded_zp = -128 : i32, pad = array<i64: 1, 1, 0, 0>, requant = #luna.requant<>}
  return
}

// A transposed convolution gives (in - 1) * stride + out_pad + kernel.
// CHECK-LABEL: func.func @conv2d_transposed
// CHECK: luna.conv2d
// CHECK-SAME: kind = 2 : i32
func.func @conv2d_transposed(%x: memref<1x2x2x4xi8>, %w: memref<3x4x4x4xi8>, %o: memref<1x5x6x3xi32>) {
  luna.conv2d ins(%x, %w : memref<1x2x2x4xi8>, memref<3x4x4x4xi8>) outs(%o : memref<1x5x6x3xi32>) {
    kind = 2 : i32, stride = array<i64: 2, 2>, pad = array<i64: 0, -1, 0, 0>, requant = #luna.requant<>}
  return
}

// CHECK-LABEL: func.func @conv2d_float
// CHECK: luna.conv2d
// CHECK-SAME: table(%{{.*}} : tensor<3xf32>)
// CHECK-SAME: requant = #luna.requant<mode = float, per_channel = true, clamp_min = 0>
// CHECK: luna.conv2d
// CHECK-SAME: requant = #luna.requant<mode = float, scale = 1.000000e-01 : f32, zero_point = -5>
func.func @conv2d_float(%x: tensor<1x4x4x2xi8>, %w: tensor<3x1x1x2xi8>, %t: tensor<3xf32>, %o: tensor<1x4x4x3xi8>) -> (tensor<1x4x4x3xi8>, tensor<1x4x4x3xi8>) {
  %r = luna.conv2d ins(%x, %w : tensor<1x4x4x2xi8>, tensor<3x1x1x2xi8>) table(%t : tensor<3xf32>) outs(%o : tensor<1x4x4x3xi8>) {
    requant = #luna.requant<mode = float, per_channel = true, clamp_min = 0>} -> tensor<1x4x4x3xi8>
  %s = luna.conv2d ins(%x, %w : tensor<1x4x4x2xi8>, tensor<3x1x1x2xi8>) outs(%o : tensor<1x4x4x3xi8>) {
    requant = #luna.requant<mode = float, scale = 1.000000e-01 : f32, zero_point = -5>} -> tensor<1x4x4x3xi8>
  return %r, %s : tensor<1x4x4x3xi8>, tensor<1x4x4x3xi8>
}

// CHECK-LABEL: func.func @matmul_tensor
// CHECK: luna.matmul ins(%{{.*}}, %{{.*}} : tensor<1x1x64xi8>, tensor<1x10x64xi8>)
// CHECK-SAME: bias(%{{.*}} : tensor<10xi32>) outs(%{{.*}} : tensor<1x1x10xi8>)
// CHECK-SAME: {requant = #luna.requant<mode = shift, shift = 7>, rhs_transposed} -> tensor<1x1x10xi8>
func.func @matmul_tensor(%x: tensor<1x1x64xi8>, %w: tensor<1x10x64xi8>, %b: tensor<10xi32>, %o: tensor<1x1x10xi8>) -> tensor<1x1x10xi8> {
  %r = luna.matmul ins(%x, %w : tensor<1x1x64xi8>, tensor<1x10x64xi8>)
      bias(%b : tensor<10xi32>) outs(%o : tensor<1x1x10xi8>) {
        rhs_transposed, requant = #luna.requant<mode = shift, shift = 7>
      } -> tensor<1x1x10xi8>
  return %r : tensor<1x1x10xi8>
}

// CHECK-LABEL: func.func @matmul_memref
// CHECK: luna.matmul ins(%{{.*}}, %{{.*}} : memref<2x3x4xi8>, memref<2x4x5xi8>)
// CHECK-SAME: table(%{{.*}} : memref<2x5xi32>) scratch(%{{.*}} : memref<8xi8>) outs(%{{.*}} : memref<2x3x5xi8>)
// CHECK-SAME: lhs_zp = 1 : i32
// CHECK-SAME: rhs_zp = 2 : i32
func.func @matmul_memref(%x: memref<2x3x4xi8>, %y: memref<2x4x5xi8>, %t: memref<2x5xi32>, %s: memref<8xi8>, %o: memref<2x3x5xi8>) {
  luna.matmul ins(%x, %y : memref<2x3x4xi8>, memref<2x4x5xi8>) table(%t : memref<2x5xi32>) scratch(%s : memref<8xi8>)
      outs(%o : memref<2x3x5xi8>) {lhs_zp = 1 : i32, rhs_zp = 2 : i32, requant = #luna.requant<mode = multiplier, per_channel = true>}
  return
}

// CHECK-LABEL: func.func @eltwise
// CHECK: luna.add ins(%{{.*}}, %{{.*}} : tensor<2x3xi8>, tensor<1x3xi8>) outs(%{{.*}} : tensor<2x3xi8>)
// CHECK-SAME: {input_rounding = 1 : i32, lhs_multiplier = 5 : i32, lhs_shift = 6 : i32, lhs_zp = 1 : i32,
// CHECK-SAME: requant = #luna.requant<mode = shift, shift = 1>, rhs_multiplier = 7 : i32, rhs_shift = 8 : i32, rhs_zp = 2 : i32} -> tensor<2x3xi8>
// CHECK: luna.sub
// CHECK: luna.mul
func.func @eltwise(%x: tensor<2x3xi8>, %y: tensor<1x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %a = luna.add ins(%x, %y : tensor<2x3xi8>, tensor<1x3xi8>) outs(%o : tensor<2x3xi8>) {
    lhs_zp = 1 : i32, lhs_multiplier = 5 : i32, lhs_shift = 6 : i32, rhs_zp = 2 : i32, rhs_multiplier = 7 : i32, rhs_shift = 8 : i32,
    input_rounding = 1 : i32, requant = #luna.requant<mode = shift, shift = 1>} -> tensor<2x3xi8>
  %b = luna.sub ins(%a, %y : tensor<2x3xi8>, tensor<1x3xi8>) outs(%o : tensor<2x3xi8>) {requant = #luna.requant<mode = shift>} -> tensor<2x3xi8>
  %c = luna.mul ins(%b, %y : tensor<2x3xi8>, tensor<1x3xi8>) outs(%o : tensor<2x3xi8>) {requant = #luna.requant<mode = shift>} -> tensor<2x3xi8>
  return %c : tensor<2x3xi8>
}

// CHECK-LABEL: func.func @eltwise_padded
// CHECK: luna.add ins(%{{.*}}, %{{.*}} : memref<2x4xi8>, memref<2x3xi8>) outs(%{{.*}} : memref<2x4xi32>)
func.func @eltwise_padded(%x: memref<2x4xi8>, %y: memref<2x3xi8>, %o: memref<2x4xi32>) {
  luna.add ins(%x, %y : memref<2x4xi8>, memref<2x3xi8>) outs(%o : memref<2x4xi32>) {requant = #luna.requant<>}
  return
}

// CHECK-LABEL: func.func @eltwise_scratch
// CHECK: luna.add ins(%{{.*}}, %{{.*}} : memref<4xi8>, memref<4xi8>) scratch(%{{.*}} : memref<8xi8>) outs(%{{.*}} : memref<4xi8>)
func.func @eltwise_scratch(%x: memref<4xi8>, %s: memref<8xi8>, %o: memref<4xi8>) {
  luna.add ins(%x, %x : memref<4xi8>, memref<4xi8>) scratch(%s : memref<8xi8>) outs(%o : memref<4xi8>) {requant = #luna.requant<mode = shift>}
  return
}

// CHECK-LABEL: func.func @eltwise_memref
// CHECK: luna.add ins(%{{.*}}, %{{.*}} : memref<4xi8>, memref<4xi8>) outs(%{{.*}} : memref<4xi32>) {requant = #luna.requant<>}
func.func @eltwise_memref(%x: memref<4xi8>, %o: memref<4xi32>) {
  luna.add ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%o : memref<4xi32>) {requant = #luna.requant<>}
  return
}

// CHECK-LABEL: func.func @pools
// CHECK: luna.max_pool2d ins(%{{.*}} : memref<1x4x4x2xi8>) outs(%{{.*}} : memref<1x2x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
// CHECK: luna.avg_pool2d ins(%{{.*}} : memref<1x4x4x2xi8>) outs(%{{.*}} : memref<1x2x2x2xi8>)
// CHECK-SAME: {input_zp = 1 : i32, kernel = array<i64: 3, 3>, output_zp = 2 : i32, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}
func.func @pools(%x: memref<1x4x4x2xi8>, %o: memref<1x2x2x2xi8>) {
  luna.max_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%o : memref<1x2x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  luna.avg_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%o : memref<1x2x2x2xi8>) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>, input_zp = 1 : i32, output_zp = 2 : i32}
  return
}

// CHECK-LABEL: func.func @pool_tensor
// CHECK: luna.max_pool2d ins(%{{.*}}) outs(%{{.*}}) {{.*}} -> tensor<1x2x2x2xi8>
func.func @pool_tensor(%x: tensor<1x4x4x2xi8>, %o: tensor<1x2x2x2xi8>) -> tensor<1x2x2x2xi8> {
  %r = luna.max_pool2d ins(%x : tensor<1x4x4x2xi8>) outs(%o : tensor<1x2x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} -> tensor<1x2x2x2xi8>
  return %r : tensor<1x2x2x2xi8>
}

// CHECK-LABEL: func.func @tables
// CHECK: luna.table ins(%{{.*}}, %{{.*}} : tensor<1x16xi8>, tensor<256xi8>) outs(%{{.*}} : tensor<1x16xi8>) -> tensor<1x16xi8>
// CHECK: luna.table ins(%{{.*}}, %{{.*}} : memref<16xi8>, memref<256xi8>) outs(%{{.*}} : memref<16xi8>){{$}}
func.func @tables(%x: tensor<1x16xi8>, %t: tensor<256xi8>, %o: tensor<1x16xi8>, %m: memref<16xi8>, %n: memref<256xi8>) -> tensor<1x16xi8> {
  %r = luna.table ins(%x, %t : tensor<1x16xi8>, tensor<256xi8>) outs(%o : tensor<1x16xi8>) -> tensor<1x16xi8>
  luna.table ins(%m, %n : memref<16xi8>, memref<256xi8>) outs(%m : memref<16xi8>)
  return %r : tensor<1x16xi8>
}

// CHECK-LABEL: func.func @transfers
// CHECK: %[[T:.*]] = luna.dma_start %{{.*}} to %{{.*}} : memref<64xi8, #luna.memory<psram>> to memref<64xi8, #luna.memory<shared>>
// CHECK: luna.dma_wait %[[T]]
// CHECK: scf.if %{{.*}} -> (!luna.token)
// CHECK: %[[U:.*]] = luna.dma_start %{{.*}} to %{{.*}} {channel = 1 : i32} : memref<64xi8, #luna.memory<psram>> to memref<64xi8, #luna.memory<shared>>
// CHECK: scf.yield %[[U]] : !luna.token
// CHECK: %[[N:.*]] = luna.dma_none
// CHECK: scf.yield %[[N]] : !luna.token
func.func @transfers(%w: memref<64xi8, #luna.memory<psram>>, %o: memref<64xi8, #luna.memory<shared>>, %c: i1) {
  %t = luna.dma_start %w to %o : memref<64xi8, #luna.memory<psram>> to memref<64xi8, #luna.memory<shared>>
  luna.dma_wait %t
  %v = scf.if %c -> (!luna.token) {
    %u = luna.dma_start %w to %o {channel = 1 : i32} : memref<64xi8, #luna.memory<psram>> to memref<64xi8, #luna.memory<shared>>
    scf.yield %u : !luna.token
  } else {
    %n = luna.dma_none
    scf.yield %n : !luna.token
  }
  luna.dma_wait %v
  return
}

// CHECK-LABEL: func.func @regions
// CHECK: %[[A:.*]] = luna.region 0 -> memref<16xi8> {
// CHECK: luna.yield %{{.*}} : memref<16xi8>
// CHECK: luna.region 1 {
// CHECK: luna.yield{{$}}
func.func @regions() {
  %a = luna.region 0 -> memref<16xi8> {
    %m = memref.alloc() : memref<16xi8>
    luna.yield %m : memref<16xi8>
  }
  luna.region 1 {
    memref.dealloc %a : memref<16xi8>
    luna.yield
  }
  return
}

// CHECK-LABEL: func.func @labels
// CHECK: scf.if
// CHECK-NEXT: luna.label "voice"
// CHECK: luna.label "voice" = "silent"
func.func @labels(%c: i1) {
  scf.if %c {
    luna.label "voice"
  } else {
    luna.label "voice" = "silent"
  }
  return
}

// CHECK-LABEL: func.func @quantisation
// CHECK: luna.quantize %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
// CHECK: luna.quantize %{{.*}}, %{{.*}}, %{{.*}} unsigned rounding half_away : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i16>) -> tensor<4x8xi16>
// CHECK: luna.dequantize %{{.*}}, %{{.*}}, %{{.*}} unsigned : (tensor<4x8xi16>, tensor<4x1xf32>, tensor<i16>) -> tensor<4x8xf32>
// CHECK: luna.quantize %{{.*}}, %{{.*}} rounding half_up : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
// CHECK: luna.dequantize %{{.*}}, %{{.*}} : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
func.func @quantisation(%x: tensor<4x8xf32>, %s: tensor<f32>, %rows: tensor<4x1xf32>, %z: tensor<i16>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = luna.quantize %x, %s rounding half_even : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
  %b = luna.quantize %x, %rows, %z unsigned rounding half_away : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i16>) -> tensor<4x8xi16>
  %c = luna.dequantize %b, %rows, %z unsigned : (tensor<4x8xi16>, tensor<4x1xf32>, tensor<i16>) -> tensor<4x8xf32>
  %e = luna.quantize %c, %s rounding half_up : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi8>
  %d = luna.dequantize %e, %s : (tensor<4x8xi8>, tensor<f32>) -> tensor<4x8xf32>
  return %c, %d : tensor<4x8xf32>, tensor<4x8xf32>
}
