// RUN: luna-opt --allow-unregistered-dialect %s | luna-opt --allow-unregistered-dialect | FileCheck %s
// RUN: luna-opt --allow-unregistered-dialect --mlir-print-op-generic %s | luna-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func private @memories
// CHECK-SAME: memref<4xi8, #luna.memory<shared>>
// CHECK-SAME: memref<4xi8, #luna.memory<psram>>
// CHECK-SAME: memref<4xi8, #luna.memory<flash>>
func.func private @memories(memref<4xi8, #luna.memory<shared>>, memref<4xi8, #luna.memory<psram>>, memref<4xi8, #luna.memory<flash>>)

// CHECK-LABEL: func.func private @token
// CHECK-SAME: (!luna.token) -> !luna.token
func.func private @token(!luna.token) -> !luna.token

// Parameters at their default are not printed.
// CHECK: #luna.requant<>
"test.op"() {r = #luna.requant<mode = none, rounding = single, per_channel = false, multiplier = 0, shift = 0, zero_point = 0, clamp_min = -128, clamp_max = 127>} : () -> ()
// CHECK: #luna.requant<mode = shift, shift = 7>
"test.op"() {r = #luna.requant<mode = shift, shift = 7>} : () -> ()
// CHECK: #luna.requant<mode = multiplier, rounding = double, per_channel = true, zero_point = -128, clamp_max = 6>
"test.op"() {r = #luna.requant<mode = multiplier, rounding = double, per_channel = true, zero_point = -128, clamp_max = 6>} : () -> ()
// CHECK: #luna.requant<mode = multiplier, multiplier = 2147483647, shift = 62, clamp_min = -2147483648, clamp_max = 2147483647>
"test.op"() {r = #luna.requant<mode = multiplier, multiplier = 2147483647, shift = 62, clamp_min = -2147483648, clamp_max = 2147483647>} : () -> ()
