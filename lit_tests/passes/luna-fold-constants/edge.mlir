// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-fold-constants)' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-fold-constants,luna-fold-constants)' | FileCheck %s

// 64 bytes of a result are free, 65 are not.
// CHECK-LABEL: func.func @short
// CHECK: "tosa.const"() <{values = dense<[1, 2, {{.*}}]> : tensor<64xi8>}>
// CHECK-NOT: tosa.tile {{.*}} tensor<64xi8>
// CHECK: tosa.tile {{.*}} -> tensor<66xi8>
func.func @short() -> (tensor<64xi8>, tensor<66xi8>) {
  %a = "tosa.const"() <{values = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %n32 = tosa.const_shape {values = dense<32> : tensor<1xindex>} : () -> !tosa.shape<1>
  %n33 = tosa.const_shape {values = dense<33> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.tile %a, %n32 : (tensor<2xi8>, !tosa.shape<1>) -> tensor<64xi8>
  %t = tosa.tile %a, %n33 : (tensor<2xi8>, !tosa.shape<1>) -> tensor<66xi8>
  return %s, %t : tensor<64xi8>, tensor<66xi8>
}

// A larger result whose elements are all alike is one number.
// CHECK-LABEL: func.func @alike
// CHECK: "tosa.const"() <{values = dense<3> : tensor<1000xi32>}>
// CHECK-NOT: tosa.tile
// CHECK: return
func.func @alike() -> tensor<1000xi32> {
  %a = "tosa.const"() <{values = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = tosa.const_shape {values = dense<1000> : tensor<1xindex>} : () -> !tosa.shape<1>
  %t = tosa.tile %a, %n : (tensor<1xi32>, !tosa.shape<1>) -> tensor<1000xi32>
  return %t : tensor<1000xi32>
}

// As many bytes as go: two constants that are joined, and one that is cut.
// CHECK-LABEL: func.func @joined_and_cut
// CHECK-NOT: tosa.concat
// CHECK-NOT: tosa.slice
// CHECK: return
func.func @joined_and_cut() -> (tensor<64xi32>, tensor<10xi64>, tensor<10xi64>) {
  %a = "tosa.const"() <{values = dense<1> : tensor<32xi32>}> : () -> tensor<32xi32>
  %b = "tosa.const"() <{values = dense<2> : tensor<32xi32>}> : () -> tensor<32xi32>
  %w = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi64>}> : () -> tensor<20xi64>
  %c0 = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %c10 = tosa.const_shape {values = dense<10> : tensor<1xindex>} : () -> !tosa.shape<1>
  %j = tosa.concat %a, %b {axis = 0 : i32} : (tensor<32xi32>, tensor<32xi32>) -> tensor<64xi32>
  %s = tosa.slice %w, %c0, %c10 : (tensor<20xi64>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<10xi64>
  %t = tosa.slice %w, %c10, %c10 : (tensor<20xi64>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<10xi64>
  return %j, %s, %t : tensor<64xi32>, tensor<10xi64>, tensor<10xi64>
}

// The weights stay where another operator needs them as they are.
// CHECK-LABEL: func.func @shared
// CHECK: tosa.reverse
// CHECK: return
func.func @shared(%x: tensor<20xi64>) -> (tensor<20xi64>, tensor<20xi64>) {
  %w = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi64>}> : () -> tensor<20xi64>
  %r = tosa.reverse %w {axis = 0 : i32} : (tensor<20xi64>) -> tensor<20xi64>
  %a = tosa.add %x, %w : (tensor<20xi64>, tensor<20xi64>) -> tensor<20xi64>
  return %r, %a : tensor<20xi64>, tensor<20xi64>
}

// What grows again behind is left, what comes before is not; and what shrinks
// again in the end may grow in between.
// CHECK-LABEL: func.func @grown
// CHECK-NOT: tosa.reverse
// CHECK: tosa.tile
// CHECK-NOT: tosa.{{tile|reduce}}
// CHECK: return
func.func @grown() -> (tensor<40xi64>, tensor<1xi64>) {
  %w = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi64>}> : () -> tensor<20xi64>
  %v = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi64>}> : () -> tensor<20xi64>
  %two = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.reverse %w {axis = 0 : i32} : (tensor<20xi64>) -> tensor<20xi64>
  %t = tosa.tile %r, %two : (tensor<20xi64>, !tosa.shape<1>) -> tensor<40xi64>
  %u = tosa.tile %v, %two : (tensor<20xi64>, !tosa.shape<1>) -> tensor<40xi64>
  %s = tosa.reduce_sum %u {axis = 0 : i32} : (tensor<40xi64>) -> tensor<1xi64>
  return %t, %s : tensor<40xi64>, tensor<1xi64>
}

// A short constant that both use ties nothing together: only the second grows.
// CHECK-LABEL: func.func @not_tied
// CHECK-NOT: tosa.reverse
// CHECK: tosa.tile
// CHECK: return
func.func @not_tied() -> (tensor<20xi64>, tensor<40xi64>) {
  %one = "tosa.const"() <{values = dense<1> : tensor<1xi64>}> : () -> tensor<1xi64>
  %w = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi64>}> : () -> tensor<20xi64>
  %r = tosa.reverse %w {axis = 0 : i32} : (tensor<20xi64>) -> tensor<20xi64>
  %a = tosa.add %r, %one : (tensor<20xi64>, tensor<1xi64>) -> tensor<20xi64>
  %list = "tosa.const"() <{values = dense<[1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %twenty = tosa.const_shape {values = dense<20> : tensor<1xindex>} : () -> !tosa.shape<1>
  %b = tosa.add %list, %one : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi64>
  %t = tosa.tile %b, %twenty : (tensor<2xi64>, !tosa.shape<1>) -> tensor<40xi64>
  return %a, %t : tensor<20xi64>, tensor<40xi64>
}

// No elements at all, and the least and largest of types.
// CHECK-LABEL: func.func @extremes
// CHECK-DAG: arith.constant dense<> : tensor<0xi64>
// CHECK-DAG: arith.constant dense<[true, false]> : tensor<2xi1>
// CHECK-DAG: arith.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
// CHECK-DAG: arith.constant dense<[-140737488355328, 140737488355327]> : tensor<2xi48>
// CHECK-DAG: arith.constant dense<[-8, 7]> : tensor<2xi4>
// CHECK-DAG: arith.constant dense<[0x7FF0000000000000, 4.940660e-324]> : tensor<2xf64>
// CHECK-NOT: tensor.
// CHECK-NOT: arith.{{addi|subi|addf}}
// CHECK: return
func.func @extremes() -> (tensor<0xi64>, tensor<2xi1>, tensor<2xi64>, tensor<2xi48>, tensor<2xi4>, tensor<2xf64>) {
  %list = arith.constant dense<[1, 2]> : tensor<2xi64>
  %none = tensor.extract_slice %list[1] [0] [1] : tensor<2xi64> to tensor<0xi64>
  %bits = arith.constant dense<[true, false]> : tensor<2xi1>
  %zero = arith.constant dense<false> : tensor<2xi1>
  %same = arith.addi %bits, %zero : tensor<2xi1>
  %long = arith.constant dense<[9223372036854775807, 9223372036854775806]> : tensor<2xi64>
  %one = arith.constant dense<1> : tensor<2xi64>
  %around = arith.addi %long, %one : tensor<2xi64>
  %max48 = arith.constant dense<[140737488355327, 140737488355326]> : tensor<2xi48>
  %one48 = arith.constant dense<1> : tensor<2xi48>
  %around48 = arith.addi %max48, %one48 : tensor<2xi48>
  %max4 = arith.constant dense<[7, 6]> : tensor<2xi4>
  %one4 = arith.constant dense<1> : tensor<2xi4>
  %around4 = arith.addi %max4, %one4 : tensor<2xi4>
  %large = arith.constant dense<[1.79769313486231571E+308, 4.9406564584124654E-324]> : tensor<2xf64>
  %add = arith.constant dense<[1.79769313486231571E+308, 0.0]> : tensor<2xf64>
  %sum = arith.addf %large, %add : tensor<2xf64>
  return %none, %same, %around, %around48, %around4, %sum : tensor<0xi64>, tensor<2xi1>, tensor<2xi64>, tensor<2xi48>, tensor<2xi4>, tensor<2xf64>
}

// In a body, what is not chosen need not have a value.
// CHECK-LABEL: func.func @not_chosen
// CHECK: %[[C:.*]] = arith.constant dense<[-1, 3]> : tensor<2xi32>
// CHECK: return %[[C]]
func.func @not_chosen() -> tensor<2xi32> {
  %a = arith.constant dense<[0, 2]> : tensor<2xi32>
  %empty = tensor.empty() : tensor<2xi32>
  %zero = arith.constant 0 : i32
  %six = arith.constant 6 : i32
  %minus = arith.constant -1 : i32
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<2xi32>) outs(%empty : tensor<2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %is_zero = arith.cmpi eq, %in, %zero : i32
    %q = arith.divui %six, %in : i32
    %s = arith.select %is_zero, %minus, %q : i32
    linalg.yield %s : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}
