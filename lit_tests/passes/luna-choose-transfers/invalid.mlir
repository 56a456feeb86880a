// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/"655360"/"256"/' %luna_machines/venus.xml > %t/tiny.xml
//
// Where no mode fits, the error is that of the last.
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/tiny.xml},luna-choose-transfers{machine=%t/tiny.xml}))' 2> %t/tiny.txt
// RUN: FileCheck %s --check-prefix=TINY --input-file=%t/tiny.txt
// TINY-NOT: {{error|warning}}
// TINY: error: needs 272 bytes of shared memory, machine 'venus' has 256 (16 too many)
// TINY: note: live there:
// TINY-NOT: {{error|warning}}
//
// Options that are wrong in every mode are one error.
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-choose-transfers{strategy=luck}))' 2> %t/luck.txt
// RUN: FileCheck %s --check-prefix=LUCK --input-file=%t/luck.txt
// LUCK-NOT: error
// LUCK: error: unknown strategy 'luck'
// LUCK-NOT: error
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-choose-transfers{mode=luck}))' 2> %t/mode.txt
// RUN: FileCheck %s --check-prefix=MODE --input-file=%t/mode.txt
// MODE-NOT: error
// MODE: error: mode is 'luck', allowed are auto, ping-pong and sync
// MODE-NOT: error
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-choose-transfers{merge="path x=1"}))' 2>&1 | FileCheck %s --check-prefix=MERGE
// MERGE: error: merge is 'path x=1', allowed are path, block, linear and none
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0},luna-choose-transfers{mode="sync x=1"}))' 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: mode is 'sync x=1', allowed are auto, ping-pong and sync

memref.global "private" constant @params : memref<256xi8, #luna.memory<psram>> = dense<1>

func.func @main(%in: memref<16xi8, #luna.memory<psram>>) {
  luna.region 0 {
    %x = memref.alloc() : memref<16xi8, #luna.memory<shared>>
    memref.copy %in, %x : memref<16xi8, #luna.memory<psram>> to memref<16xi8, #luna.memory<shared>>
    %c0 = arith.constant 0 : index
    %p = memref.get_global @params : memref<256xi8, #luna.memory<psram>>
    %v = memref.view %p[%c0][] : memref<256xi8, #luna.memory<psram>> to memref<256xi8, #luna.memory<psram>>
    luna.table ins(%x, %v : memref<16xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>)
        outs(%x : memref<16xi8, #luna.memory<shared>>) {params = @params}
    luna.yield
  }
  return
}
