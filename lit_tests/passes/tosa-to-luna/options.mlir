// RUN: luna-opt --pass-pipeline='builtin.module(func.func(tosa-to-luna{machine=venus}))' %s | FileCheck %s
// RUN: luna-opt --pass-pipeline='builtin.module(func.func(tosa-to-luna{machine=arcs}))' %s | FileCheck %s
// RUN: sed '/<requantisation>/,/<\/requantisation>/s/<multiplier value="false"/<multiplier value="true"/' %luna_machines/venus.xml > %t.xml
// RUN: luna-opt --pass-pipeline="builtin.module(func.func(tosa-to-luna{machine=%t.xml}))" %s | FileCheck %s --check-prefix=POOLS

// The average of a whole image is a product with ones where the machine takes
// fewer cycles for it: the multiplier and the shift are TOSA's for 125 places.
// A unit that scales by multipliers pools.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[X:.*]]: tensor<1x25x5x64xi8>)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i8
// CHECK-DAG: %[[ONES:.*]] = linalg.fill ins(%[[ONE]] : i8) outs(%{{.*}} : tensor<1x1x125xi8>)
// CHECK-DAG: %[[PLACES:.*]] = tosa.reshape %[[X]], %{{.*}} -> tensor<1x125x64xi8>
// CHECK: %[[MEAN:.*]] = luna.matmul ins(%[[ONES]], %[[PLACES]] : tensor<1x1x125xi8>, tensor<1x125x64xi8>)
// CHECK-SAME: multiplier = 1099511628, shift = 37, zero_point = 4
// CHECK-SAME: rhs_zp = -3 : i32
// CHECK: %[[R:.*]] = tosa.reshape %[[MEAN]], %{{.*}} -> tensor<1x1x1x64xi8>
// CHECK: return %[[R]]
// POOLS-LABEL: func.func @whole
// POOLS: luna.avg_pool2d
func.func @whole(%x: tensor<1x25x5x64xi8>) -> tensor<1x1x1x64xi8> {
  %iz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %iz, %oz {acc_type = i32, kernel = array<i64: 25, 5>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 25, 5>} : (tensor<1x25x5x64xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x64xi8>
  return %r : tensor<1x1x1x64xi8>
}

// The core is done with a few elements before a launch has begun.
// CHECK-LABEL: func.func @few
// CHECK-NOT: luna.matmul
// CHECK: luna.avg_pool2d
func.func @few(%x: tensor<1x2x2x8xi8>) -> tensor<1x1x1x8xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %z, %z {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x8xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x8xi8>
  return %r : tensor<1x1x1x8xi8>
}

// Windows of a part of the image are a product, too, where these are few; of
// several images sums of a depthwise convolution; padded ones differ in size,
// int16 has no such sums. A window of the product is a row, with ones where it
// has places: of the first, in every fifth column.
// CHECK-LABEL: func.func @others
// CHECK: "tosa.const"() <{values = dense<"0x01000000000100000000
// CHECK: luna.matmul
// CHECK-SAME: tensor<1x5x125xi8>, tensor<1x125x64xi8>
// CHECK: luna.avg_pool2d
// CHECK-COUNT-2: luna.conv2d
// CHECK: luna.avg_pool2d
func.func @others(%x: tensor<1x25x5x64xi8>, %y: tensor<2x25x5x64xi8>, %w: tensor<1x25x5x64xi16>) -> (tensor<1x1x5x64xi8>, tensor<1x2x1x64xi8>, tensor<2x1x1x64xi8>, tensor<1x1x1x64xi16>) {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z16 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %a = tosa.avg_pool2d %x, %z, %z {acc_type = i32, kernel = array<i64: 25, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x25x5x64xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x5x64xi8>
  %b = tosa.avg_pool2d %x, %z, %z {acc_type = i32, kernel = array<i64: 25, 5>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x25x5x64xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x1x64xi8>
  %c = tosa.avg_pool2d %y, %z, %z {acc_type = i32, kernel = array<i64: 25, 5>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x25x5x64xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x1x1x64xi8>
  %d = tosa.avg_pool2d %w, %z16, %z16 {acc_type = i32, kernel = array<i64: 25, 5>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x25x5x64xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x1x1x64xi16>
  return %a, %b, %c, %d : tensor<1x1x5x64xi8>, tensor<1x2x1x64xi8>, tensor<2x1x1x64xi8>, tensor<1x1x1x64xi16>
}
