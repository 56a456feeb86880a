// Averages of whole images, which are products with ones, and of windows, which
// are depthwise convolutions by ones, beside the upstream CPU path: as many
// places as a power of two, one more, and more than 256; windows that overlap.
// RUN: lunac run %s --machine=venus --random-input=1 --cases=4 --check | FileCheck %s
// RUN: lunac run %s --machine=arcs --random-input=2 --cases=4 --check | FileCheck %s
// RUN: lunac run %s --machine=venus --layout=auto --random-input=1 --cases=4 --check | FileCheck %s
// RUN: lunac run %s --machine=arcs --layout=auto --random-input=2 --cases=4 --check | FileCheck %s
// RUN: lunac run %s --machine=venus --place=core --random-input=3 --cases=2 --check | FileCheck %s --check-prefix=CORE
// RUN: lunac compile %s --machine=venus --layout=auto --emit=luna | FileCheck %s --check-prefix=PLAN
// CHECK: 0 hazards; 4 runs equal the upstream CPU path bit for bit
// CORE: 0 hazards; 2 runs equal the upstream CPU path bit for bit
// PLAN-COUNT-3: luna.matmul
// PLAN-COUNT-2: luna.conv2d
// PLAN-NOT: luna.avg_pool2d

func.func @main(%x: tensor<1x8x8x64xi8>, %y: tensor<1x13x5x40xi8>, %z: tensor<1x20x25x24xi8>) -> (tensor<1x1x1x64xi8>, tensor<1x1x1x40xi8>, tensor<1x1x1x24xi8>, tensor<1x4x4x64xi8>, tensor<1x11x3x40xi8>) {
  %low = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.avg_pool2d %x, %low, %low {acc_type = i32, kernel = array<i64: 8, 8>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 8, 8>} : (tensor<1x8x8x64xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x64xi8>
  %b = tosa.avg_pool2d %y, %other, %zero {acc_type = i32, kernel = array<i64: 13, 5>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x13x5x40xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x40xi8>
  %c = tosa.avg_pool2d %z, %zero, %other {acc_type = i32, kernel = array<i64: 20, 25>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x25x24xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x24xi8>
  %d = tosa.avg_pool2d %x, %low, %other {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x64xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x64xi8>
  %e = tosa.avg_pool2d %y, %other, %zero {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x13x5x40xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x11x3x40xi8>
  return %a, %b, %c, %d, %e : tensor<1x1x1x64xi8>, tensor<1x1x1x40xi8>, tensor<1x1x1x24xi8>, tensor<1x4x4x64xi8>, tensor<1x11x3x40xi8>
}
