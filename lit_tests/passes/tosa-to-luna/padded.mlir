// A sum of a tensor with fewer channels and a padded pooling, run beside the upstream CPU path: on
// the core, and in two launches where the unit scales.
// RUN: lunac run %s --machine=venus --random-input=1 --cases=4 --check | FileCheck %s
// RUN: sed 's|<multiplier value="false"|<multiplier value="true"|' %luna_machines/venus.xml > %t.xml
// RUN: lunac run %s --machine=%t.xml --random-input=1 --cases=4 --check | FileCheck %s
// CHECK: 0 hazards; 4 runs equal the upstream CPU path bit for bit

func.func @main(%x: tensor<2x3xi8>, %y: tensor<2x4xi8>, %i: tensor<1x4x4x2xi8>) -> (tensor<2x4xi8>, tensor<1x3x3x2xi8>) {
  %is = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %s = tosa.const_shape {values = dense<[0, 0, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %x, %s, %v : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<2x4xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %a = tosa.rescale %p, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %b = tosa.rescale %y, %m, %n, %xz, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %c = tosa.add %a, %b : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %t = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %t, %z, %xz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  %ip = tosa.pad %i, %is, %xz : (tensor<1x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x5x5x2xi8>
  %pool = tosa.max_pool2d %ip {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xi8>) -> tensor<1x3x3x2xi8>
  return %r, %pool : tensor<2x4xi8>, tensor<1x3x3x2xi8>
}
