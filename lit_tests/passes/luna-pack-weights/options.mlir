// Parts of a blob are aligned as the machine's buffers are.
// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed '/<alignment_bytes/s/16/64/' %luna_machines/venus.xml > %t/wide.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{machine=%t/wide.xml})' | FileCheck %s

// A warning tells of weights above the machine's PSRAM, which the simulator has.
// RUN: sed 's/"8388608"/"112"/' %luna_machines/venus.xml > %t/small.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{machine=%t/small.xml})' -o %t/exact.mlir 2>&1 | count 0
// RUN: sed 's/"8388608"/"16"/' %luna_machines/venus.xml > %t/small.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-pack-weights{machine=%t/small.xml})' 2>&1 >/dev/null | FileCheck %s --check-prefix=SMALL
// SMALL: warning: the weights take 32 bytes of PSRAM, machine 'venus' has 16

memref.global "private" constant @w : memref<2x1x1x2xi8, #luna.memory<psram>> = dense<1>
memref.global "private" constant @b : memref<2xi32, #luna.memory<psram>> = dense<2>

// CHECK: memref.global "private" constant @params0 : memref<128xi8{{.*}} {alignment = 64 : i64}
// CHECK: %[[AT:.*]] = arith.constant 64 : index
// CHECK: memref.view %{{.*}}[%[[AT]]][] : memref<128xi8, #luna.memory<psram>> to memref<2xi32
func.func @main(%x: memref<1x4x4x2xi8>, %y: memref<1x4x4x2xi8>) {
  %w = memref.get_global @w : memref<2x1x1x2xi8, #luna.memory<psram>>
  %b = memref.get_global @b : memref<2xi32, #luna.memory<psram>>
  luna.conv2d ins(%x, %w : memref<1x4x4x2xi8>, memref<2x1x1x2xi8, #luna.memory<psram>>)
      bias(%b : memref<2xi32, #luna.memory<psram>>)
      outs(%y : memref<1x4x4x2xi8>) {requant = #luna.requant<mode = shift, shift = 1>}
  return
}
