// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory,luna-estimate-cost{machine=%source/luna_target/fuzz/machine_corpus/valid.xml}))' > %t
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory,luna-estimate-cost{machine=%source/luna_target/fuzz/machine_corpus/valid.xml:scalar}))' >> %t
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-form-regions,luna-order{steps=0},luna-plan-memory,luna-estimate-cost{machine=%source/luna_target/fuzz/machine_corpus/valid.xml:vector}))' >> %t
// RUN: FileCheck %s --input-file=%t
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-estimate-cost{machine=venus:fast}))' 2>&1 | FileCheck %s --check-prefix=SET

// All costs of this machine's core are one cycle, but an element of a window
// by vector instructions is half of one: 16 * 4 of each of 8 * 48 results.

// CHECK: host = [[#HOST:]] : i64
// CHECK: host = [[#HOST]] : i64
// CHECK: host = [[#HOST - 12288]] : i64
// SET: machine 'venus' has no core 'fast', it has scalar and vector
func.func @average(%x: memref<1x32x16x48xi8, #luna.memory<shared>>, %y: memref<1x2x4x48xi8, #luna.memory<shared>>) {
  luna.avg_pool2d ins(%x : memref<1x32x16x48xi8, #luna.memory<shared>>) outs(%y : memref<1x2x4x48xi8, #luna.memory<shared>>) {kernel = array<i64: 16, 4>, stride = array<i64: 16, 4>}
  return
}
