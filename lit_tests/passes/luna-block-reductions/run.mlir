// Blocks and what they leave are summed up as upstream does: sums of floats to
// the bit, with the checks of `lunac run` in them.

// RUN: lunac run %s --random-input=3 --check | FileCheck %s
// RUN: lunac compile %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// CHECK: 0 hazards; 1 runs equal the upstream CPU path bit for bit

// What is summed up lies apart from what is read.
// LLVM: define internal void @luna_model_run_host{{[0-9]+}}(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr noalias %{{[0-9]+}})
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (j, k)>
#sums = affine_map<(i, j, k) -> (i, j)>
#product = {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
#window = {indexing_maps = [affine_map<(c, i, k) -> (c, i * 2 + k)>, affine_map<(c, i, k) -> (c, k)>, #sums],
           iterator_types = ["parallel", "parallel", "reduction"]}
func.func @main(%a: tensor<3x70xi8>, %b: tensor<7x70xi8>, %start: tensor<3x7xi32>,
                %data: tensor<5x64xf32>, %weights: tensor<5x41xf32>, %bias: tensor<5x11xf32>) -> (tensor<3x7xi32>, tensor<5x11xf32>) {
  %sums = linalg.generic #product ins(%a, %b : tensor<3x70xi8>, tensor<7x70xi8>) outs(%start : tensor<3x7xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %i = linalg.index 2 : index
    %n = arith.index_cast %i : index to i32
    %one = arith.constant 1 : i32
    %divisor = arith.addi %n, %one : i32
    %wide_x = arith.extsi %x : i8 to i32
    %wide_y = arith.extsi %y : i8 to i32
    %0 = arith.muli %wide_x, %wide_y : i32
    %1 = arith.divsi %0, %divisor : i32
    %2 = arith.addi %sum, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<3x7xi32>
  %windows = linalg.generic #window ins(%data, %weights : tensor<5x64xf32>, tensor<5x41xf32>) outs(%bias : tensor<5x11xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<5x11xf32>
  return %sums, %windows : tensor<3x7xi32>, tensor<5x11xf32>
}
