// Every message of the verifiers, in the order of verify.c.
// RUN: luna-opt --split-input-file --verify-diagnostics %s

func.func @tensor_form_without_result(%x: tensor<4xi8>, %t: tensor<256xi8>) {
  // expected-error@+1 {{tensor form has 0 results, needs 1}}
  luna.table ins(%x, %t : tensor<4xi8>, tensor<256xi8>) outs(%x : tensor<4xi8>)
  return
}

// -----

func.func @result_of_another_type(%x: tensor<4xi8>, %t: tensor<256xi8>) {
  // expected-error@+1 {{result type differs from the output's}}
  %r = luna.table ins(%x, %t : tensor<4xi8>, tensor<256xi8>) outs(%x : tensor<4xi8>) -> tensor<2x2xi8>
  return
}

// -----

func.func @memref_form_with_result(%x: memref<4xi8>, %t: memref<256xi8>) {
  // expected-error@+1 {{memref form has 1 results, needs 0}}
  %r = luna.table ins(%x, %t : memref<4xi8>, memref<256xi8>) outs(%x : memref<4xi8>) -> tensor<4xi8>
  return
}

// -----

func.func @mixed_operands(%x: memref<4xi8>, %t: tensor<256xi8>) {
  // expected-error@+1 {{mixes tensor and memref operands}}
  luna.table ins(%x, %t : memref<4xi8>, tensor<256xi8>) outs(%x : memref<4xi8>)
  return
}

// -----

func.func @dynamic_operand(%x: memref<?xi8>, %t: memref<256xi8>, %o: memref<4xi8>) {
  // expected-error@+1 {{operand #0 must be int8 tensor or memref of static shape, but got 'memref<?xi8>'}}
  luna.table ins(%x, %t : memref<?xi8>, memref<256xi8>) outs(%o : memref<4xi8>)
  return
}

// -----

func.func @no_requant_of_int8(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi8>) {
  // expected-error@+1 {{requant mode none needs a 32-bit output}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi8>) {requant = #luna.requant<>}
  return
}

// -----

func.func @empty_clamp(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi8>) {
  // expected-error@+1 {{clamp range [5, 4] is empty}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi8>) {requant = #luna.requant<mode = shift, clamp_min = 5, clamp_max = 4>}
  return
}

// -----

func.func @shift_per_channel(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi8>) {
  // expected-error@+1 {{only modes multiplier and float can be per channel}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi8>) {requant = #luna.requant<mode = shift, per_channel = true>}
  return
}

// -----

func.func @kind_out_of_range(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{kind is 3, allowed are 0 (normal), 1 (depthwise), 2 (transposed)}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi32>) {kind = 3 : i32, requant = #luna.requant<>}
  return
}

// -----

func.func @stride_of_one_value(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{stride needs 2 values}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi32>) {stride = array<i64: 1>, requant = #luna.requant<>}
  return
}

// -----

func.func @dilation_of_three_values(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{dilation needs 2 values}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi32>) {dilation = array<i64: 1, 1, 1>, requant = #luna.requant<>}
  return
}

// -----

func.func @pad_of_two_values(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{pad needs 4 values}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi32>) {pad = array<i64: 1, 1>, requant = #luna.requant<>}
  return
}

// -----

func.func @stride_of_zero(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{stride and dilation must be at least 1}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi32>) {stride = array<i64: 0, 1>, requant = #luna.requant<>}
  return
}

// -----

func.func @conv_rank(%x: memref<4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{input, weight and output need rank 4}}
  luna.conv2d ins(%x, %w : memref<4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @layout_without_kernel(%x: memref<1x4x4x2xi8>, %w: memref<64xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{weight_layout and weight_kernel come together}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<64xi8>) outs(%o : memref<1x4x4x3xi32>) {weight_layout = "OhwI2o8i", requant = #luna.requant<>}
  return
}

// -----

func.func @layout_without_columns(%x: memref<1x4x4x2xi8>, %w: memref<64xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{weight_layout is no order of weights}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<64xi8>) outs(%o : memref<1x4x4x3xi32>) {weight_kernel = array<i64: 1, 1>, weight_layout = "OhI2o8i", requant = #luna.requant<>}
  return
}

// -----

func.func @kernel_of_packed_weights(%x: memref<1x4x4x2xi8>, %w: memref<64xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{weight_kernel needs 2 values from 1 to 32767}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<64xi8>) outs(%o : memref<1x4x4x3xi32>) {weight_kernel = array<i64: 0, 1>, weight_layout = "OhwI2o8i", requant = #luna.requant<>}
  return
}

// -----

// Two pairs of output channels, one block of 8 input channels.
func.func @size_of_packed_weights(%x: memref<1x4x4x2xi8>, %w: memref<31xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{packed weights need the type 32xi8}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<31xi8>) outs(%o : memref<1x4x4x3xi32>) {weight_kernel = array<i64: 1, 1>, weight_layout = "OhwI2o8i", requant = #luna.requant<>}
  return
}

// -----

func.func @rank_of_packed_weights(%x: memref<1x4x4x2xi8>, %w: memref<4x8xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{packed weights need the type 32xi8}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<4x8xi8>) outs(%o : memref<1x4x4x3xi32>) {weight_kernel = array<i64: 1, 1>, weight_layout = "OhwI2o8i", requant = #luna.requant<>}
  return
}

// -----

func.func @packed_weights_with_a_multiplier(%x: memref<1x4x4x2xi8>, %w: memref<16xi8>, %o: memref<1x4x4x4xi32>) {
  // expected-error@+1 {{packed weights of a depthwise convolution have one output channel for each of 2, not 4 in all}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<16xi8>) outs(%o : memref<1x4x4x4xi32>) {kind = 1 : i32, weight_kernel = array<i64: 1, 1>, weight_layout = "Chw16c", requant = #luna.requant<>}
  return
}

// -----

func.func @batch_of_two(%x: memref<2x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<2x4x4x3xi32>) {
  // expected-error@+1 {{batch is 2, the unit computes 1 at a time}}
  luna.conv2d ins(%x, %w : memref<2x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<2x4x4x3xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @depthwise_channels(%x: memref<1x4x4x2xi8>, %w: memref<1x1x3x2xi8>, %o: memref<1x4x4x6xi32>) {
  // expected-error@+1 {{depthwise weight has 3 x 2 channels, input has 2 and output 6}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<1x1x3x2xi8>) outs(%o : memref<1x4x4x6xi32>) {kind = 1 : i32, requant = #luna.requant<>}
  return
}

// -----

func.func @weight_channels(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x3xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{weight maps 3 to 3 channels, input has 2 and output 3}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x3xi8>) outs(%o : memref<1x4x4x3xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @output_height(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x3x4x3xi32>) {
  // expected-error@+1 {{output height is 3, input, kernel, stride and padding give 4}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x3x4x3xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @output_width(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x3x3xi32>) {
  // expected-error@+1 {{output width is 3, input, kernel, stride and padding give 4}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x3x3xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @folded_with_zero_point(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>, %b: memref<3xi32>) {
  // expected-error@+1 {{folded_zp leaves no zero point: input_zp and weight_zp must be 0}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) bias(%b : memref<3xi32>) outs(%o : memref<1x4x4x3xi32>) {folded_zp = 3 : i32, weight_zp = 1 : i32, requant = #luna.requant<>}
  return
}

// -----

func.func @folded_without_bias(%x: memref<1x4x2xi8>, %w: memref<1x2x3xi8>, %o: memref<1x4x3xi32>) {
  // expected-error@+1 {{folded_zp needs a bias}}
  luna.matmul ins(%x, %w : memref<1x4x2xi8>, memref<1x2x3xi8>) outs(%o : memref<1x4x3xi32>) {folded_zp = 3 : i32, requant = #luna.requant<>}
  return
}

// -----

func.func @folded_transposed(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>, %b: memref<3xi32>) {
  // expected-error@+1 {{a transposed convolution has no folded_zp}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) bias(%b : memref<3xi32>) outs(%o : memref<1x4x4x3xi32>) {kind = 2 : i32, folded_zp = 3 : i32, requant = #luna.requant<>}
  return
}

// -----

func.func @folded_without_rows(%x: memref<1x4x4x2xi8>, %w: memref<3x3x3x2xi8>, %o: memref<1x4x4x3xi32>, %b: memref<3xi32>) {
  // expected-error@+1 {{bias needs the type 9x3xi32, with folded_zp one value per class of borders and output channel}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x3x3x2xi8>) bias(%b : memref<3xi32>) outs(%o : memref<1x4x4x3xi32>) {folded_zp = 3 : i32, pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<>}
  return
}

// -----

func.func @rows_without_folded(%x: memref<1x4x4x2xi8>, %w: memref<3x3x3x2xi8>, %o: memref<1x4x4x3xi32>, %b: memref<9x3xi32>) {
  // expected-error@+1 {{bias needs the shape [3], one value per output channel}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x3x3x2xi8>) bias(%b : memref<9x3xi32>) outs(%o : memref<1x4x4x3xi32>) {pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<>}
  return
}

// -----

func.func @bias_of_wrong_length(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>, %b: memref<2xi32>) {
  // expected-error@+1 {{bias needs the shape [3], one value per output channel}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) bias(%b : memref<2xi32>) outs(%o : memref<1x4x4x3xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @per_channel_without_table(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi8>) {
  // expected-error@+1 {{a table goes with a per-channel requant and only with one}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi8>) {requant = #luna.requant<mode = multiplier, per_channel = true>}
  return
}

// -----

func.func @table_of_wrong_type(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi8>, %t: memref<2x3xi8>) {
  // expected-error@+1 {{table needs the type 2x3xi32}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) table(%t : memref<2x3xi8>) outs(%o : memref<1x4x4x3xi8>) {requant = #luna.requant<mode = multiplier, per_channel = true>}
  return
}

// -----

func.func @table_of_scales_of_wrong_type(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi8>, %t: memref<2x3xi32>) {
  // expected-error@+1 {{table needs the type 3xf32}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) table(%t : memref<2x3xi32>) outs(%o : memref<1x4x4x3xi8>) {requant = #luna.requant<mode = float, per_channel = true>}
  return
}

// -----

func.func @float_without_scale(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi8>) {
  // expected-error@+1 {{requant mode float needs a positive f32 scale}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi8>) {requant = #luna.requant<mode = float>}
  return
}

// -----

func.func @float_with_a_double_scale(%x: memref<1x4x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi8>) {
  // expected-error@+1 {{requant mode float needs a positive f32 scale}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi8>) {requant = #luna.requant<mode = float, scale = 5.0e-1 : f64>}
  return
}

// -----

func.func @matmul_rank(%x: memref<3x4xi8>, %y: memref<2x4x5xi8>, %o: memref<2x3x5xi32>) {
  // expected-error@+1 {{lhs, rhs and output need rank 3}}
  luna.matmul ins(%x, %y : memref<3x4xi8>, memref<2x4x5xi8>) outs(%o : memref<2x3x5xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @matmul_shapes(%x: memref<2x3x4xi8>, %y: memref<2x6x5xi8>, %o: memref<2x3x5xi32>) {
  // expected-error@+1 {{shapes do not multiply: 2x3x4 by depth 6, width 5}}
  luna.matmul ins(%x, %y : memref<2x3x4xi8>, memref<2x6x5xi8>) outs(%o : memref<2x3x5xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @eltwise_of_five_dimensions(%x: memref<1x1x1x1x4xi8>, %y: memref<1x1x1x1x4xi8>, %o: memref<1x1x1x1x4xi32>) {
  // expected-error@+1 {{rank is 5, at most 4}}
  luna.add ins(%x, %y : memref<1x1x1x1x4xi8>, memref<1x1x1x1x4xi8>) outs(%o : memref<1x1x1x1x4xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @eltwise_ranks(%x: memref<1x4xi8>, %y: memref<4xi8>, %o: memref<1x4xi32>) {
  // expected-error@+1 {{operands differ in rank}}
  luna.add ins(%x, %y : memref<1x4xi8>, memref<4xi8>) outs(%o : memref<1x4xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @eltwise_broadcast(%x: memref<2x4xi8>, %y: memref<2x5xi8>, %o: memref<2x4xi32>) {
  // expected-error@+1 {{operand 1 does not broadcast to the output in dimension 1}}
  luna.add ins(%x, %y : memref<2x4xi8>, memref<2x5xi8>) outs(%o : memref<2x4xi32>) {requant = #luna.requant<>}
  return
}

// -----

// Only channels are padded.
func.func @eltwise_rows(%x: memref<4x4xi8>, %y: memref<3x4xi8>, %o: memref<4x4xi32>) {
  // expected-error@+1 {{operand 1 does not broadcast to the output in dimension 0}}
  luna.add ins(%x, %y : memref<4x4xi8>, memref<3x4xi8>) outs(%o : memref<4x4xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @eltwise_no_channels(%x: memref<4x4xi8>, %y: memref<4x0xi8>, %o: memref<4x4xi32>) {
  // expected-error@+1 {{operand 1 does not broadcast to the output in dimension 1}}
  luna.add ins(%x, %y : memref<4x4xi8>, memref<4x0xi8>) outs(%o : memref<4x4xi32>) {requant = #luna.requant<>}
  return
}

// -----

func.func @pool_rank(%x: memref<4x4x2xi8>, %o: memref<1x2x2x2xi8>) {
  // expected-error@+1 {{input and output need rank 4}}
  luna.max_pool2d ins(%x : memref<4x4x2xi8>) outs(%o : memref<1x2x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  return
}

// -----

func.func @pool_kernel_of_one_value(%x: memref<1x4x4x2xi8>, %o: memref<1x2x2x2xi8>) {
  // expected-error@+1 {{kernel and stride need 2 values, pad needs 4}}
  luna.max_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%o : memref<1x2x2x2xi8>) {kernel = array<i64: 2>, stride = array<i64: 2, 2>}
  return
}

// -----

func.func @pool_stride_of_zero(%x: memref<1x4x4x2xi8>, %o: memref<1x2x2x2xi8>) {
  // expected-error@+1 {{kernel and stride must be at least 1}}
  luna.max_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%o : memref<1x2x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 0, 2>}
  return
}

// -----

func.func @pool_height(%x: memref<1x4x4x2xi8>, %o: memref<1x3x2x2xi8>) {
  // expected-error@+1 {{output height is 3, input, kernel, stride and padding give 2}}
  luna.max_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%o : memref<1x3x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  return
}

// -----

func.func @pool_width(%x: memref<1x4x4x2xi8>, %o: memref<1x2x3x2xi8>) {
  // expected-error@+1 {{output width is 3, input, kernel, stride and padding give 2}}
  luna.max_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%o : memref<1x2x3x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  return
}

// -----

func.func @pool_channels(%x: memref<1x4x4x2xi8>, %o: memref<1x2x2x3xi8>) {
  // expected-error@+1 {{input and output differ in batch or channels}}
  luna.max_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%o : memref<1x2x2x3xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  return
}

// -----

func.func @table_of_128(%x: memref<4xi8>, %t: memref<128xi8>) {
  // expected-error@+1 {{operand #1 must be 256xi8 tensor or memref, but got 'memref<128xi8>'}}
  luna.table ins(%x, %t : memref<4xi8>, memref<128xi8>) outs(%x : memref<4xi8>)
  return
}

// -----

func.func @table_sizes(%x: memref<4xi8>, %t: memref<256xi8>, %o: memref<5xi8>) {
  // expected-error@+1 {{failed to verify that all of {input, output} have same shape}}
  luna.table ins(%x, %t : memref<4xi8>, memref<256xi8>) outs(%o : memref<5xi8>)
  return
}

// -----

func.func @transfer_of_dynamic_size(%x: memref<?xi8>, %o: memref<4xi8>) {
  // expected-error@+1 {{source and target need static shapes}}
  %t = luna.dma_start %x to %o : memref<?xi8> to memref<4xi8>
  return
}

// -----

func.func @transfer_sizes(%x: memref<2xi32>, %o: memref<4xi8>) {
  // expected-error@+1 {{source has 8 bytes, target 4}}
  %t = luna.dma_start %x to %o : memref<2xi32> to memref<4xi8>
  return
}

// -----

func.func @region_without_yield() {
  // expected-error@+1 {{must end with luna.yield}}
  "luna.region"() <{id = 0 : i32}> ({
    scf.yield
  }) : () -> ()
  return
}

// -----

func.func @region_yields_too_little() {
  // expected-error@+1 {{yields 0 values, has 1 results}}
  %a = luna.region 0 -> i1 {
    luna.yield
  }
  return
}

// -----

func.func @region_yields_another_type(%x: i8) {
  // expected-error@+1 {{result 0 differs in type from the value yielded}}
  %a = luna.region 0 -> i1 {
    luna.yield %x : i8
  }
  return
}

// -----

func.func @yield_outside_a_region() {
  // expected-error@+1 {{expects parent op 'luna.region'}}
  luna.yield
}

// -----

func.func @quantize_to_32_bits(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{needs f32 and signless integers of 8 or 16 bits}}
  %q = luna.quantize %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi32>
  return
}

// -----

func.func @dequantize_from_64_bits(%x: tensor<4xi64>, %s: tensor<f32>) {
  // expected-error@+1 {{needs f32 and signless integers of 8, 16 or 32 bits}}
  %q = luna.dequantize %x, %s : (tensor<4xi64>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @quantize_to_another_shape(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{input and result differ in shape}}
  %q = luna.quantize %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4x1xi8>
  return
}

// -----

func.func @quantize_with_scales_of_another_rank(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error@+1 {{scale needs one element, or the input's rank with each dimension 1 or the input's}}
  %q = luna.quantize %x, %s : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi8>
  return
}

// -----

func.func @dequantize_with_too_many_zero_points(%x: tensor<4x8xi8>, %s: tensor<f32>, %z: tensor<2x1xi8>) {
  // expected-error@+1 {{zero point needs one element, or the input's rank with each dimension 1 or the input's}}
  %q = luna.dequantize %x, %s, %z : (tensor<4x8xi8>, tensor<f32>, tensor<2x1xi8>) -> tensor<4x8xf32>
  return
}

// -----

func.func @quantize_with_a_zero_point_of_another_type(%x: tensor<4xf32>, %s: tensor<f32>, %z: tensor<i16>) {
  // expected-error@+1 {{zero point and integers differ in type}}
  %q = luna.quantize %x, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<i16>) -> tensor<4xi8>
  return
}

// -----

func.func @dequantize_unsigned_of_32_bits(%x: tensor<4xi32>, %s: tensor<f32>) {
  // expected-error@+1 {{unsigned integers have at most 16 bits}}
  %q = luna.dequantize %x, %s unsigned : (tensor<4xi32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @quantize_beyond_its_type(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{clamps to [-3, 200], the result's type has -128 to 127}}
  %q = luna.quantize %x, %s {clamp_min = -3 : i32, clamp_max = 200 : i32} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  return
}

// -----

func.func @label_without_a_name() {
  // expected-error @below {{name is empty}}
  luna.label ""
  return
}

// -----

func.func @label_with_a_slash() {
  // expected-error @below {{name 'a/b' has a '/', which paths are written with}}
  luna.label "a/b"
  return
}

// -----

func.func @label_of_a_way_with_an_equals_sign() {
  // expected-error @below {{way 'a=b' has a '=', which paths are written with}}
  luna.label "a" = "a=b"
  return
}

// -----

// expected-error @below {{id is -1, needs one from 0 to 1073741823}}
#place = #luna.place<id = -1, offset = 0, kind = tensor>

// -----

// expected-error @below {{offset is -16, needs one of at least 0}}
#place = #luna.place<id = 1, offset = -16, kind = tensor>

// -----

// expected-error @below {{expected ::luna::AllocationKind to be one of: tensor, input, output, staging, scratch}}
// expected-error @below {{failed to parse Luna_PlaceAttr parameter 'kind' which is to be a `::luna::AllocationKind`}}
#place = #luna.place<id = 1, offset = 16, kind = stagging>

// -----

// expected-error @below {{struct is missing required parameter: offset}}
#place = #luna.place<id = 1, kind = staging>

// -----

func.func @dilation_of_transposed(%x: memref<1x4x4x2xi8>, %w: memref<3x3x3x2xi8>, %o: memref<1x6x6x3xi8>) {
  // expected-error@+1 {{a transposed convolution has no dilation}}
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<3x3x3x2xi8>) outs(%o : memref<1x6x6x3xi8>) {kind = 2 : i32, dilation = array<i64: 2, 1>, requant = #luna.requant<mode = shift>}
  return
}

// -----

func.func @buffer_below_0(%arena: memref<64xi8>) {
  // expected-error @below {{id is -1, needs one from 0 to 1073741823}}
  %a = luna.buffer -1 of %arena at 0 : memref<64xi8> to memref<4xi8>
  return
}

// -----

func.func @buffer_beyond_the_arena(%arena: memref<64xi8>) {
  // expected-error @below {{8 bytes at offset 60 do not lie in an arena of 64}}
  %a = luna.buffer 0 of %arena at 60 : memref<64xi8> to memref<2x4xi8>
  return
}

// -----

func.func @pool_padding_out_of_range(%x: memref<1x4x4x2xi8>, %o: memref<1x2x2x2xi8>) {
  // expected-error@+1 {{extents, kernel, stride, dilation and padding must be below 2^31}}
  luna.max_pool2d ins(%x : memref<1x4x4x2xi8>) outs(%o : memref<1x2x2x2xi8>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 9223372036854775807, 0, 0, 0>}
  return
}

// -----

func.func @conv_extent_out_of_range(%x: memref<1x9223372036854775807x4x2xi8>, %w: memref<3x1x1x2xi8>, %o: memref<1x4x4x3xi32>) {
  // expected-error@+1 {{extents, kernel, stride, dilation and padding must be below 2^31}}
  luna.conv2d ins(%x, %w : memref<1x9223372036854775807x4x2xi8>, memref<3x1x1x2xi8>) outs(%o : memref<1x4x4x3xi32>) {requant = #luna.requant<mode = none>}
  return
}
