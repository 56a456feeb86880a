// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=venus report=true}))' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=arcs report=true}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARCS
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=venus place=core report=true}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=CORE
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=venus}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: remark

// What vector calls finish or launches requantise has no remark.
func.func @on_unit(%a: memref<1x32x32x32xi8, #luna.memory<shared>>, %b: memref<2x1x1x32xi8, #luna.memory<shared>>, %c: memref<1x32x32x2xi8, #luna.memory<shared>>, %x: memref<1x32x32x32xi8, #luna.memory<shared>>, %w: memref<1x1x1x32xi8, #luna.memory<shared>>, %y: memref<1x32x32x1xi8, #luna.memory<shared>>) {
  // CORE: :[[@LINE+1]]:3: remark: the core finishes its sums, {{[0-9]+}} cycles: place is core
  luna.conv2d ins(%a, %b : memref<1x32x32x32xi8, #luna.memory<shared>>, memref<2x1x1x32xi8, #luna.memory<shared>>) outs(%c : memref<1x32x32x2xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = multiplier, rounding = double, multiplier = 1073741824, shift = 40>}
  luna.conv2d ins(%x, %w : memref<1x32x32x32xi8, #luna.memory<shared>>, memref<1x1x1x32xi8, #luna.memory<shared>>) outs(%y : memref<1x32x32x1xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = shift, shift = 7>}
  return
}

func.func @binary32(%x: memref<1x32x32x32xi8, #luna.memory<shared>>, %w: memref<8x1x1x32xi8, #luna.memory<shared>>, %y: memref<1x32x32x8xi8, #luna.memory<shared>>) {
  // CHECK: :[[@LINE+1]]:3: remark: the core finishes its sums, {{[0-9]+}} cycles: its scale is in binary32
  luna.conv2d ins(%x, %w : memref<1x32x32x32xi8, #luna.memory<shared>>, memref<8x1x1x32xi8, #luna.memory<shared>>) outs(%y : memref<1x32x32x8xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = float, scale = 1.0e-03 : f32>}
  return
}

func.func @left(%x: memref<1x32x32x32xi8, #luna.memory<shared>>, %w: memref<8x1x1x32xi8, #luna.memory<shared>>, %y: memref<1x32x32x8xi8, #luna.memory<shared>>) {
  // CHECK: :[[@LINE+1]]:3: remark: the core finishes its sums, {{[0-9]+}} cycles: no calls of the unit requantise so exactly
  luna.conv2d ins(%x, %w : memref<1x32x32x32xi8, #luna.memory<shared>>, memref<8x1x1x32xi8, #luna.memory<shared>>) outs(%y : memref<1x32x32x8xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = multiplier, rounding = single, multiplier = 1073741824, shift = 20>}
  return
}

func.func @few(%x: memref<1x1x2x8xi8, #luna.memory<shared>>, %w: memref<2x1x1x8xi8, #luna.memory<shared>>, %y: memref<1x1x2x2xi8, #luna.memory<shared>>) {
  // CHECK: :[[@LINE+1]]:3: remark: the core finishes its sums, {{[0-9]+}} cycles: calls of the unit take more cycles
  luna.conv2d ins(%x, %w : memref<1x1x2x8xi8, #luna.memory<shared>>, memref<2x1x1x8xi8, #luna.memory<shared>>) outs(%y : memref<1x1x2x2xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = multiplier, rounding = double, multiplier = 1073741824, shift = 40>}
  return
}

func.func @others(%x: memref<1x8x8x64xi8, #luna.memory<shared>>, %t: memref<256xi8, #luna.memory<shared>>, %y: memref<1x4x4x64xi8, #luna.memory<shared>>, %z: memref<1x8x8x64xi8, #luna.memory<shared>>) {
  // CHECK: :[[@LINE+1]]:3: remark: the core computes it, {{[0-9]+}} cycles: the unit divides by powers of two alone
  luna.avg_pool2d ins(%x : memref<1x8x8x64xi8, #luna.memory<shared>>) outs(%y : memref<1x4x4x64xi8, #luna.memory<shared>>) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
  // CHECK: :[[@LINE+1]]:3: remark: the core computes it, {{[0-9]+}} cycles: the machine has no call for it
  luna.table ins(%x, %t : memref<1x8x8x64xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<shared>>) outs(%z : memref<1x8x8x64xi8, #luna.memory<shared>>)
  // CHECK: :[[@LINE+1]]:3: remark: the core computes it, {{[0-9]+}} cycles: its scale is in binary32
  luna.add ins(%x, %z : memref<1x8x8x64xi8, #luna.memory<shared>>, memref<1x8x8x64xi8, #luna.memory<shared>>) outs(%x : memref<1x8x8x64xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = float, scale = 1.0e-01 : f32>}
  return
}

// A call that a machine lacks, and channels that no constant is known of.
func.func @channels(%x: memref<1x32x32x32xi8, #luna.memory<shared>>, %w: memref<8x1x1x32xi8, #luna.memory<shared>>, %t: memref<2x8xi32, #luna.memory<shared>>, %y: memref<1x32x32x8xi8, #luna.memory<shared>>) {
  // CHECK: :[[@LINE+2]]:3: remark: the core finishes its sums, {{[0-9]+}} cycles: a channel's multiplier or shift is unknown or beyond what the calls take
  // ARCS: :[[@LINE+1]]:3: remark: the core finishes its sums, {{[0-9]+}} cycles: the machine has no 'multi_vec_mul' from i32 to i32
  luna.conv2d ins(%x, %w : memref<1x32x32x32xi8, #luna.memory<shared>>, memref<8x1x1x32xi8, #luna.memory<shared>>) table(%t : memref<2x8xi32, #luna.memory<shared>>) outs(%y : memref<1x32x32x8xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>}
  return
}
