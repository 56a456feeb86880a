// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-fold-constants)' | FileCheck %s

// Operators of TOSA, as upstream lowers them.

// CHECK-LABEL: func.func @reshape_slice_pad_reverse
// CHECK: %[[C:.*]] = "tosa.const"() <{values = dense<[9, 4, 3, 9]> : tensor<4xi64>}>
// CHECK-NOT: tosa.{{slice|pad|reverse}}
// CHECK: return %[[C]]
func.func @reshape_slice_pad_reverse() -> tensor<4xi64> {
  %a = "tosa.const"() <{values = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>}> : () -> tensor<2x2xi64>
  %four = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
  %two = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %ones = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %nine = "tosa.const"() <{values = dense<9> : tensor<1xi64>}> : () -> tensor<1xi64>
  %r = tosa.reshape %a, %four : (tensor<2x2xi64>, !tosa.shape<1>) -> tensor<4xi64>
  %s = tosa.slice %r, %two, %two : (tensor<4xi64>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<2xi64>
  %v = tosa.reverse %s {axis = 0 : i32} : (tensor<2xi64>) -> tensor<2xi64>
  %p = tosa.pad %v, %ones, %nine : (tensor<2xi64>, !tosa.shape<2>, tensor<1xi64>) -> tensor<4xi64>
  return %p : tensor<4xi64>
}

// CHECK-LABEL: func.func @arithmetic
// CHECK: %[[C:.*]] = "tosa.const"() <{values = dense<{{\[\[}}5, 8], [7, 10]]> : tensor<2x2xi32>}>
// CHECK: return %[[C]]
func.func @arithmetic() -> tensor<2x2xi32> {
  %a = "tosa.const"() <{values = dense<[[1, 2]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %b = "tosa.const"() <{values = dense<[[2], [4]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
  %three = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %m = tosa.mul %a, %three, %shift : (tensor<1x2xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<1x2xi32>
  %s = tosa.add %m, %b : (tensor<1x2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  return %s : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @reduce_gather_matmul
// CHECK-DAG: %[[SUM:.*]] = "tosa.const"() <{values = dense<{{\[\[}}4.000000e+00, 6.000000e+00]]> : tensor<1x2xf32>}>
// CHECK-DAG: %[[ROWS:.*]] = "tosa.const"() <{values = dense<{{\[\[\[}}3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<1x2x2xf32>}>
// CHECK-DAG: %[[PRODUCT:.*]] = "tosa.const"() <{values = dense<{{\[\[\[}}7.000000e+00, 1.000000e+01], [1.500000e+01, 2.200000e+01]]]> : tensor<1x2x2xf32>}>
// CHECK: return %[[SUM]], %[[ROWS]], %[[PRODUCT]]
func.func @reduce_gather_matmul() -> (tensor<1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
  %a = "tosa.const"() <{values = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %b = "tosa.const"() <{values = dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>}> : () -> tensor<1x2x2xf32>
  %at = "tosa.const"() <{values = dense<[[1, 0]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %sum = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<2x2xf32>) -> tensor<1x2xf32>
  %rows = tosa.gather %b, %at : (tensor<1x2x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
  %product = tosa.matmul %b, %b, %z, %z : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
  return %sum, %rows, %product : tensor<1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK: %[[C:.*]] = "tosa.const"() <{values = dense<{{\[\[\[}}7], [2], [8]]]> : tensor<1x3x1xi32>}>
// CHECK: return %[[C]]
func.func @scatter() -> tensor<1x3x1xi32> {
  %a = "tosa.const"() <{values = dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>}> : () -> tensor<1x3x1xi32>
  %at = "tosa.const"() <{values = dense<[[0, 2]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %new = "tosa.const"() <{values = dense<[[[7], [8]]]> : tensor<1x2x1xi32>}> : () -> tensor<1x2x1xi32>
  %r = tosa.scatter %a, %at, %new : (tensor<1x3x1xi32>, tensor<1x2xi32>, tensor<1x2x1xi32>) -> tensor<1x3x1xi32>
  return %r : tensor<1x3x1xi32>
}

// Rounding twice, as quantised models do.
// CHECK-LABEL: func.func @rescale
// CHECK: %[[C:.*]] = "tosa.const"() <{values = dense<[-128, -2, 3, 127]> : tensor<4xi8>}>
// CHECK: return %[[C]]
func.func @rescale() -> tensor<4xi8> {
  %a = "tosa.const"() <{values = dense<[-1000, -5, 5, 1000]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %a, %m, %s, %z32, %z8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// Operators of tensor and linalg, and arith on whole tensors.

// CHECK-LABEL: func.func @slices
// CHECK: %[[C:.*]] = arith.constant dense<{{\[\[}}7, 5], [3, 8]]> : tensor<2x2xi8>
// CHECK-NOT: tensor.
// CHECK: return %[[C]]
func.func @slices() -> tensor<2x2xi8> {
  %a = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi8>
  %seven = arith.constant 7 : i8
  %c0 = arith.constant 0 : index
  %every = tensor.extract_slice %a[0] [3] [2] : tensor<5xi8> to tensor<3xi8>
  %eight = arith.constant dense<8> : tensor<1xi8>
  %head = tensor.insert %seven into %every[%c0] : tensor<3xi8>
  %three = tensor.extract_slice %a[2] [1] [1] : tensor<5xi8> to tensor<1xi8>
  %two = tensor.concat dim(0) %three, %eight : (tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
  %five = tensor.extract_slice %every[2] [1] [1] : tensor<3xi8> to tensor<1xi8>
  %swapped = tensor.insert_slice %five into %head[1] [1] [1] : tensor<1xi8> into tensor<3xi8>
  %first = tensor.extract_slice %swapped[0] [2] [1] : tensor<3xi8> to tensor<2xi8>
  %rows = tensor.concat dim(0) %first, %two : (tensor<2xi8>, tensor<2xi8>) -> tensor<4xi8>
  %square = tensor.expand_shape %rows [[0, 1]] output_shape [2, 2] : tensor<4xi8> into tensor<2x2xi8>
  return %square : tensor<2x2xi8>
}

// CHECK-LABEL: func.func @made_by_index
// CHECK-DAG: %[[A:.*]] = arith.constant dense<[0, 1, 4]> : tensor<3xindex>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xindex>
// CHECK-DAG: %[[P:.*]] = arith.constant dense<[5, 2, 3, 5]> : tensor<4xi32>
// CHECK-NOT: linalg.generic
// CHECK: return %[[A]], %[[B]], %[[P]]
func.func @made_by_index() -> (tensor<3xindex>, tensor<2x2xindex>, tensor<4xi32>) {
  %a = tensor.generate {
  ^bb0(%i: index):
    %square = arith.muli %i, %i : index
    tensor.yield %square : index
  } : tensor<3xindex>
  %empty = tensor.empty() : tensor<2x2xindex>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<2x2xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %sum = arith.addi %i, %j : index
    linalg.yield %sum : index
  } -> tensor<2x2xindex>
  %five = arith.constant 5 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %pair = tensor.from_elements %two, %three : tensor<2xi32>
  %p = tensor.pad %pair low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %five : i32
  } : tensor<2xi32> to tensor<4xi32>
  return %a, %b, %p : tensor<3xindex>, tensor<2x2xindex>, tensor<4xi32>
}

// CHECK-LABEL: func.func @windows
// CHECK: %[[C:.*]] = arith.constant dense<[5, 8]> : tensor<2xi32>
// CHECK: return %[[C]]
func.func @windows() -> tensor<2xi32> {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %w = arith.constant dense<[1, 2]> : tensor<2xi32>
  %zero = arith.constant dense<0> : tensor<2xi32>
  %y = linalg.conv_1d ins(%x, %w : tensor<3xi32>, tensor<2xi32>) outs(%zero : tensor<2xi32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}

// CHECK-LABEL: func.func @whole_tensors
// CHECK: %[[C:.*]] = arith.constant dense<[3.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK: return %[[C]]
func.func @whole_tensors() -> tensor<2xf32> {
  %a = arith.constant dense<[9.0, 1.0]> : tensor<2xf32>
  %b = arith.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %larger = arith.cmpf ogt, %a, %b : tensor<2xf32>
  %root = math.sqrt %a : tensor<2xf32>
  %r = arith.select %larger, %root, %b : tensor<2xi1>, tensor<2xf32>
  return %r : tensor<2xf32>
}

// A scalar that says where to read.
// CHECK-LABEL: func.func @scalars
// CHECK: %[[AT:.*]] = arith.constant 2 : index
// CHECK: tensor.extract %{{.*}}[%[[AT]]]
func.func @scalars(%x: tensor<4xf32>) -> f32 {
  %list = arith.constant dense<[5, 2]> : tensor<2xi64>
  %c1 = arith.constant 1 : index
  %number = tensor.extract %list[%c1] : tensor<2xi64>
  %at = arith.index_cast %number : i64 to index
  %r = tensor.extract %x[%at] : tensor<4xf32>
  return %r : f32
}

// What stands in a branch is folded there.
// CHECK-LABEL: func.func @in_branch
// CHECK: scf.if
// CHECK: "tosa.const"() <{values = dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi8>}>
func.func @in_branch(%c: i1, %x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %a = "tosa.const"() <{values = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>}> : () -> tensor<2x2xi8>
  %r = scf.if %c -> tensor<2x2xi8> {
    %t = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<2x2xi8>) -> tensor<2x2xi8>
    scf.yield %t : tensor<2x2xi8>
  } else {
    scf.yield %x : tensor<2x2xi8>
  }
  return %r : tensor<2x2xi8>
}
