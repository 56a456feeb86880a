// What branches and loops merge may be slices: of one layout, of several, of
// inputs, of what was computed; they may be reshaped afterwards.

// RUN: lunac run %s --random-input=3 --check --io=psram | FileCheck %s
// RUN: lunac run %s --random-input=3 --check --machine=arcs --io=on-chip | FileCheck %s
// RUN: lunac compile %s --stats=%t.json && FileCheck %s --check-prefix=STATS --input-file=%t.json
// STATS: "joins": [
// STATS-NEXT: {
// STATS-NEXT: "name": "if0#0",
// STATS-NEXT: "choice": "coalesced",
// STATS-NEXT: "cycles": 0,
// STATS-NEXT: "bytes": 0
// STATS: "joins_tried": {
// STATS-NEXT: "drafts": {{[1-9][0-9]*}},
// STATS-NEXT: "plans": {{[1-9][0-9]*}}
// CHECK: 0 hazards; {{[0-9]+}} runs equal the upstream CPU path bit for bit
func.func @main(%x: tensor<1x4x6x16xi8>, %f: tensor<i1>, %g: tensor<i1>, %y: tensor<1x4x5x8xi8>) -> (tensor<1x4x5x8xi8>, tensor<1x4x5x8xi8>, tensor<1x20x8xi8>, tensor<1x4x5x8xi8>) {
  %fb = tensor.extract %f[] : tensor<i1>
  %gb = tensor.extract %g[] : tensor<i1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %at1 = tosa.const_shape {values = dense<[0,0,1,0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %at8 = tosa.const_shape {values = dense<[0,0,0,8]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1,4,5,8]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %flat = tosa.const_shape {values = dense<[1,20,8]> : tensor<3xindex>} : () -> !tosa.shape<3>

  %s = tosa.slice %x, %at1, %size : (tensor<1x4x6x16xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x5x8xi8>
  %t = tosa.slice %x, %at8, %size : (tensor<1x4x6x16xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x5x8xi8>
  %one = scf.if %fb -> (tensor<1x4x5x8xi8>) { scf.yield %s : tensor<1x4x5x8xi8> } else { scf.yield %t : tensor<1x4x5x8xi8> }
  %a = tosa.max_pool2d %one {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x5x8xi8>) -> tensor<1x4x5x8xi8>

  %two = scf.if %gb -> (tensor<1x4x5x8xi8>) {
    %z = tosa.max_pool2d %y {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x5x8xi8>) -> tensor<1x4x5x8xi8>
    scf.yield %z : tensor<1x4x5x8xi8>
  } else {
    %u = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x6x16xi8>) -> tensor<1x4x6x16xi8>
    %v = tosa.slice %u, %at8, %size : (tensor<1x4x6x16xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x5x8xi8>
    scf.yield %v : tensor<1x4x5x8xi8>
  }
  %b = tosa.reverse %two {axis = 2 : i32} : (tensor<1x4x5x8xi8>) -> tensor<1x4x5x8xi8>
  %c = tosa.reshape %one, %flat : (tensor<1x4x5x8xi8>, !tosa.shape<3>) -> tensor<1x20x8xi8>

  %d = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %s) -> (tensor<1x4x5x8xi8>) {
    %wide = tosa.concat %h, %h {axis = 3 : i32} : (tensor<1x4x5x8xi8>, tensor<1x4x5x8xi8>) -> tensor<1x4x5x16xi8>
    %next = tosa.slice %wide, %at8, %size : (tensor<1x4x5x16xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x5x8xi8>
    scf.yield %next : tensor<1x4x5x8xi8>
  }
  return %a, %b, %c, %d : tensor<1x4x5x8xi8>, tensor<1x4x5x8xi8>, tensor<1x20x8xi8>, tensor<1x4x5x8xi8>
}
