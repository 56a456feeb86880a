// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{capacity-bytes=512 least-bytes=0}))' | FileCheck %s --check-prefix=SMALL

// venus requantises by shift: nothing to add.
// CHECK-LABEL: func.func @native
// CHECK-NOT: memref.alloc
// CHECK: luna.conv2d
// CHECK-NOT: scratch
// CHECK-SAME: tiling = array<i32: {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, 3, 3, 0, 0, 0>
func.func @native(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>) outs(%y : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = shift, shift = 7>}
  return
}

// Vector calls of the unit finish the sums of a multiplier: a scratch of 32-bit
// results.
// CHECK-LABEL: func.func @multiplier
// CHECK: %[[S:.*]] = memref.alloc() {luna.kind = "scratch"} : memref<[[BYTES:[0-9]+]]xi8, #luna.memory<shared>>
// CHECK: luna.conv2d {{.*}} scratch(%[[S]] : memref<[[BYTES]]xi8
// CHECK-SAME: tiling = array<i32: {{.*}}, 2, [[BYTES]], 0>
// SMALL-LABEL: func.func @multiplier
// SMALL: memref.alloc() {luna.kind = "scratch"} : memref<{{[1-5]?[0-9]?[0-9]}}xi8
func.func @multiplier(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>) outs(%y : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}

// A kernel of 7 is cut into smaller ones whose 32-bit sums add up.
// CHECK-LABEL: func.func @large_kernel
// CHECK: memref.alloc() {luna.kind = "scratch"}
// CHECK: luna.conv2d
// CHECK-SAME: tiling = array<i32: {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[1-5]}}, {{[1-5]}}, {{[01]}}, {{[0-9]+}}, 0>
func.func @large_kernel(%x: memref<1x8x8x8xi8>, %w: memref<16x7x7x8xi8>, %y: memref<1x2x2x16xi8>) {
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x7x7x8xi8>) outs(%y : memref<1x2x2x16xi8>) {requant = #luna.requant<mode = shift, shift = 9>}
  return
}

// CHECK-LABEL: func.func @matmul
// CHECK: luna.matmul
// CHECK-SAME: tiling = array<i32:
func.func @matmul(%x: memref<1x1x64xi8>, %w: memref<1x10x64xi8>, %y: memref<1x1x10xi8>) {
  luna.matmul ins(%x, %w : memref<1x1x64xi8>, memref<1x10x64xi8>) outs(%y : memref<1x1x10xi8>) {rhs_transposed, requant = #luna.requant<mode = shift, shift = 7>}
  return
}

// Operators without private buffers are left alone, and so is a tiling made
// before.
// CHECK-LABEL: func.func @unchanged
// CHECK: luna.add
// CHECK-NOT: tiling
// CHECK: luna.conv2d
// CHECK-SAME: tiling = array<i32: 1, 2, 3, 4, 5, 6, 0, 0, 0>
func.func @unchanged(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>) {
  luna.add ins(%x, %x : memref<1x8x8x8xi8>, memref<1x8x8x8xi8>) outs(%x : memref<1x8x8x8xi8>) {requant = #luna.requant<mode = shift>}
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>) outs(%y : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = shift, shift = 7>, tiling = array<i32: 1, 2, 3, 4, 5, 6, 0, 0, 0>}
  return
}

// Inputs scaled by powers of two are shifted in a scratch by the unit, as large
// as the operands or as is allowed.
// CHECK-LABEL: func.func @shifted
// CHECK: %[[S:.*]] = memref.alloc() {luna.kind = "scratch"} : memref<65536xi8, #luna.memory<shared>>
// CHECK: luna.add {{.*}} scratch(%[[S]] : memref<65536xi8, #luna.memory<shared>>) outs(
// SMALL-LABEL: func.func @shifted
// SMALL: luna.add {{.*}} scratch(%{{.*}} : memref<512xi8
func.func @shifted(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x64xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_multiplier = 1073741824 : i32, lhs_shift = 31 : i32, requant = #luna.requant<mode = shift, clamp_min = 0>}
  return
}

// CHECK-LABEL: func.func @both_shifted
// CHECK: luna.sub {{.*}} scratch(%{{.*}} : memref<4100xi8
func.func @both_shifted(%x: memref<1x32x64xi8>, %y: memref<1x32x64xi8>) {
  luna.sub ins(%x, %y : memref<1x32x64xi8>, memref<1x32x64xi8>) outs(%x : memref<1x32x64xi8>) {lhs_multiplier = 1073741824 : i32, lhs_shift = 31 : i32, rhs_multiplier = 4 : i32, rhs_shift = 33 : i32, requant = #luna.requant<mode = shift>}
  return
}

// What the core does in fewer cycles stays there.
// CHECK-LABEL: func.func @few_elements
// CHECK-NOT: scratch
// CHECK: return
func.func @few_elements(%x: memref<1x8xi8>, %y: memref<1x8xi8>) {
  luna.add ins(%x, %y : memref<1x8xi8>, memref<1x8xi8>) outs(%x : memref<1x8xi8>) {lhs_multiplier = 1073741824 : i32, lhs_shift = 31 : i32, requant = #luna.requant<mode = shift, clamp_min = 0>}
  return
}

// Other factors, zero points, padding, rounding twice, and shifts to the left are
// computed by vector calls: 8 bytes of scratch for an element, and one more for
// a padded operand.
// CHECK-LABEL: func.func @no_power_of_two
// CHECK: luna.add {{.*}} scratch(%{{.*}} : memref<{{[0-9]+}}xi8
// CHECK: return
func.func @no_power_of_two(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x64xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_multiplier = 1073741825 : i32, lhs_shift = 31 : i32, requant = #luna.requant<mode = shift>}
  return
}

// CHECK-LABEL: func.func @other_no_power_of_two
// CHECK: luna.add {{.*}} scratch(%{{.*}} : memref<{{[0-9]+}}xi8
// CHECK: return
func.func @other_no_power_of_two(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x64xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_multiplier = 1073741824 : i32, lhs_shift = 31 : i32, rhs_multiplier = 3 : i32, rhs_shift = 31 : i32, requant = #luna.requant<mode = shift>}
  return
}

// CHECK-LABEL: func.func @zero_point
// CHECK: luna.add {{.*}} scratch(%{{.*}} : memref<{{[0-9]+}}xi8
// CHECK: return
func.func @zero_point(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x64xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_zp = 1 : i32, lhs_multiplier = 1073741824 : i32, lhs_shift = 31 : i32, requant = #luna.requant<mode = shift>}
  return
}

// CHECK-LABEL: func.func @padded
// CHECK: luna.add {{.*}} scratch(%{{.*}} : memref<{{[0-9]+}}xi8
// CHECK: return
func.func @padded(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x63xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x63xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_multiplier = 1073741824 : i32, lhs_shift = 31 : i32, requant = #luna.requant<mode = shift>}
  return
}

// CHECK-LABEL: func.func @rounds_twice
// CHECK: luna.add {{.*}} scratch(%{{.*}} : memref<{{[0-9]+}}xi8
// CHECK: return
func.func @rounds_twice(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x64xi8>) outs(%x : memref<1x32x32x64xi8>) {input_rounding = 1 : i32, lhs_multiplier = 1073741824 : i32, lhs_shift = 32 : i32, requant = #luna.requant<mode = shift>}
  return
}

// CHECK-LABEL: func.func @left
// CHECK: luna.add {{.*}} scratch(%{{.*}} : memref<{{[0-9]+}}xi8
// CHECK: return
func.func @left(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x64xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_multiplier = 1073741824 : i32, lhs_shift = 29 : i32, requant = #luna.requant<mode = shift>}
  return
}

// A multiplier behind shifts stays with the core.
// CHECK-LABEL: func.func @multiplier_behind
// CHECK-NOT: scratch
// CHECK: return
func.func @multiplier_behind(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x64xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_multiplier = 1073741824 : i32, lhs_shift = 31 : i32, requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
  return
}

// So do operands that are no boxes of the output's rows, and results beyond 32
// bits.
// CHECK-LABEL: func.func @repeated
// CHECK-NOT: scratch
// CHECK: return
func.func @repeated(%x: memref<1x32x32x64xi8>, %y: memref<1x1x1x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x1x1x64xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_zp = 3 : i32, requant = #luna.requant<mode = shift>}
  return
}

// CHECK-LABEL: func.func @wide
// CHECK-NOT: scratch
// CHECK: return
func.func @wide(%x: memref<1x32x32x64xi8>, %y: memref<1x32x32x64xi8>) {
  luna.add ins(%x, %y : memref<1x32x32x64xi8>, memref<1x32x32x64xi8>) outs(%x : memref<1x32x32x64xi8>) {lhs_multiplier = 2147483647 : i32, lhs_shift = 2 : i32, requant = #luna.requant<mode = shift>}
  return
}

// Multipliers of channels are finished by the unit where they are constants
// that its calls take: positive, with shifts of 32 to 52, for results below the
// zero point.
memref.global "private" constant @good : memref<2x16xi32> = dense<[[1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824], [32, 52, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40]]>
memref.global "private" constant @bad : memref<2x16xi32> = dense<[[1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824, 1073741824], [31, 52, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40]]>

// CHECK-LABEL: func.func @channels
// CHECK: luna.conv2d {{.*}} scratch(%{{.*}} : memref<4672xi8
// CHECK-SAME: tiling = array<i32: 6, 6, 16, 8, 3, 3, 2, 4672, 0>
// CHECK: luna.conv2d {{.*}} scratch(%{{.*}} : memref<1536xi8
// CHECK-SAME: tiling = array<i32: 2, 6, 16, 8, 3, 3, 1, 1536, 0, 2>
// CHECK: luna.conv2d {{.*}} scratch(%{{.*}} : memref<1536xi8
// CHECK-SAME: tiling = array<i32: 2, 6, 16, 8, 3, 3, 1, 1536, 0, 2>
func.func @channels(%x: memref<1x8x8x8xi8>, %w: memref<16x3x3x8xi8>, %y: memref<1x6x6x16xi8>, %unknown: memref<2x16xi32>) {
  %good = memref.get_global @good : memref<2x16xi32>
  %bad = memref.get_global @bad : memref<2x16xi32>
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>) table(%good : memref<2x16xi32>) outs(%y : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>) table(%bad : memref<2x16xi32>) outs(%y : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>) table(%unknown : memref<2x16xi32>) outs(%y : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  return
}
