// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-insert-dma))'
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{mode=triple}))' 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{machine=pluto}))' 2>&1 | FileCheck %s --check-prefix=MACHINE

// MODE: error: mode is 'triple', allowed are auto, ping-pong and sync
// MACHINE: error: {{.*}}pluto

memref.global "private" constant @t : memref<256xi8, #luna.memory<psram>> = dense<1>
func.func @not_packed(%x: memref<16xi8, #luna.memory<shared>>) {
  luna.region 0 {
    %t = memref.get_global @t : memref<256xi8, #luna.memory<psram>>
    // expected-error @below {{operand 1 is in PSRAM and is not packed; run luna-pack-weights first}}
    luna.table ins(%x, %t : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%x : memref<16xi8, #luna.memory<shared>>)
    luna.yield
  }
  return
}
