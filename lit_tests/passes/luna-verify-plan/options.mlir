// RUN: luna-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan{machine=arcs}))'
// RUN: luna-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan{capacity-bytes=128 alignment-bytes=8}))'
// RUN: not luna-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan{capacity-bytes=127}))' \
// RUN:   2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not luna-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan{alignment-bytes=128}))' \
// RUN:   2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// RUN: not luna-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan{capacity-bytes=-1}))' \
// RUN:   2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not luna-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(luna-verify-plan{machine=mars}))' \
// RUN:   2>&1 | FileCheck %s --check-prefix=MACHINE

// CAPACITY: error: needs 128 bytes of shared memory, machine 'venus' has 127 (1 too many)
// ALIGNMENT: error: buffer 1 has offset 64, needs a multiple of 128
// NEGATIVE: error: option capacity-bytes is negative, needs at least 0
// MACHINE: error: {{.*}}mars

#s = #luna.memory<shared>
func.func @two_buffers(%v: i8) attributes {luna.arena_bytes = 128} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<64xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 64, kind = tensor>} : memref<64xi8, #s>
  linalg.fill ins(%v : i8) outs(%a : memref<64xi8, #s>)
  memref.copy %a, %b : memref<64xi8, #s> to memref<64xi8, #s>
  return
}
