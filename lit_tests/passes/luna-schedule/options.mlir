// Operators of the unit work in place where the machine file says so: a sum
// that the unit adds, an activation by table. The core always may; it looks
// tables up where the unit has no call for them.
// RUN: sed 's|in_place\(.*\)="true"|in_place\1="false"|' %luna_machines/venus.xml > %t.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s --check-prefixes=CHECK,MAY,CORE
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{machine=%t.xml}))' | FileCheck %s --check-prefixes=CHECK,NOT,CORE
// RUN: sed 's|in_place\(.*\)="true"|in_place\1="false"|' %luna_machines/venusa.xml > %t.venusa.xml
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{machine=%t.venusa.xml}))' | FileCheck %s --check-prefixes=CHECK,NOT,UNIT

// CHECK-LABEL: @sum
// MAY: luna.add ins(%[[A:.*]], %[[A]] : {{.*}}) outs(%[[A]] :
// NOT: memref.alloc()
// NOT: memref.alloc()
// NOT: luna.add
func.func @sum(%x: memref<64xi8, #luna.memory<psram>>, %y: memref<64xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<64xi8, #luna.memory<shared>>
  memref.copy %x, %a : memref<64xi8, #luna.memory<psram>> to memref<64xi8, #luna.memory<shared>>
  %b = memref.alloc() : memref<64xi8, #luna.memory<shared>>
  luna.add ins(%a, %a : memref<64xi8, #luna.memory<shared>>, memref<64xi8, #luna.memory<shared>>) outs(%b : memref<64xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = shift>}
  memref.copy %b, %y : memref<64xi8, #luna.memory<shared>> to memref<64xi8, #luna.memory<psram>>
  return
}

// CHECK-LABEL: @scaled_by_the_core
// CHECK: luna.add ins(%[[A:.*]], %[[A]] : {{.*}}) outs(%[[A]] :
func.func @scaled_by_the_core(%x: memref<64xi8, #luna.memory<psram>>, %y: memref<64xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<64xi8, #luna.memory<shared>>
  memref.copy %x, %a : memref<64xi8, #luna.memory<psram>> to memref<64xi8, #luna.memory<shared>>
  %b = memref.alloc() : memref<64xi8, #luna.memory<shared>>
  luna.add ins(%a, %a : memref<64xi8, #luna.memory<shared>>, memref<64xi8, #luna.memory<shared>>) outs(%b : memref<64xi8, #luna.memory<shared>>) {lhs_multiplier = 1073741824 : i32, lhs_shift = 30 : i32, requant = #luna.requant<mode = shift>}
  memref.copy %b, %y : memref<64xi8, #luna.memory<shared>> to memref<64xi8, #luna.memory<psram>>
  return
}

// CHECK-LABEL: @table
// CORE: luna.table ins(%[[A:.*]], %{{.*}} : {{.*}}) outs(%[[A]] :
// UNIT: memref.alloc()
// UNIT: memref.alloc()
// UNIT: luna.table
func.func @table(%x: memref<64xi8, #luna.memory<psram>>, %t: memref<256xi8, #luna.memory<psram>>, %y: memref<64xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<64xi8, #luna.memory<shared>>
  memref.copy %x, %a : memref<64xi8, #luna.memory<psram>> to memref<64xi8, #luna.memory<shared>>
  %b = memref.alloc() : memref<64xi8, #luna.memory<shared>>
  luna.table ins(%a, %t : memref<64xi8, #luna.memory<shared>>, memref<256xi8, #luna.memory<psram>>) outs(%b : memref<64xi8, #luna.memory<shared>>)
  memref.copy %b, %y : memref<64xi8, #luna.memory<shared>> to memref<64xi8, #luna.memory<psram>>
  return
}
