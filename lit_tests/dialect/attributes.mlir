// RUN: luna-opt %s | luna-opt | FileCheck %s
// RUN: luna-opt %s --canonicalize --cse | FileCheck %s

// Each attribute of the dialect where it belongs.

// CHECK: module attributes {luna.code = {calls = 1 : i64, descriptor_bytes = 12 : i64
module attributes {luna.code = {kernels = 2 : i64, unique_kernels = 1 : i64, kernel_collisions = 0 : i64, descriptors = 1 : i64, unique_descriptors = 1 : i64, descriptor_collisions = 0 : i64, descriptor_bytes = 12 : i64, id_bytes = 0 : i64, port_bytes = 0 : i64, launches = 3 : i64, calls = 1 : i64, rules = [{rule = "input", launches = 2 : i64}]}} {
}

#p = #luna.memory<psram>
#s = #luna.memory<shared>

// CHECK-LABEL: func.func @interface
// CHECK-SAME: {luna.name = "x", luna.scale = 5.000000e-01 : f32, luna.unsigned, luna.zero_point = -3 : i64}
// CHECK-SAME: {luna.initial = dense<1> : tensor<4xi8>, luna.state = "h"}
// CHECK-SAME: -> (tensor<4xi8> {luna.state = "h"}, tensor<4xi8> {luna.name = "y"})
func.func @interface(%x: tensor<4xi8> {luna.name = "x", luna.scale = 0.5 : f32, luna.zero_point = -3 : i64, luna.unsigned}, %h: tensor<4xi8> {luna.state = "h", luna.initial = dense<1> : tensor<4xi8>}) -> (tensor<4xi8> {luna.state = "h"}, tensor<4xi8> {luna.name = "y"}) {
  return %h, %x : tensor<4xi8>, tensor<4xi8>
}

// CHECK-LABEL: func.func @versions
// CHECK-SAME: {luna.cases = array<i32: 0, 1>}
// CHECK-SAME: {luna.shapes = [array<i64: 2, 2>, array<i64: 1, 4>]}
func.func @versions(%n: tensor<1xi32> {luna.cases = array<i32: 0, 1>}, %x: tensor<4xi8> {luna.shapes = [array<i64: 2, 2>, array<i64: 1, 4>]}) {
  return
}

// CHECK-LABEL: func.func @shapes
// CHECK-SAME: attributes {luna.sizes = ["u0 >= 4, <= 6"]}
// CHECK: tensor.cast {{.*}} {luna.bounds = array<i64: 0>, luna.class = "ISDOS", luna.shape = ["u0, 8"]}
func.func @shapes(%x: tensor<?x8xf32>) -> tensor<?x?xf32> attributes {luna.sizes = ["u0 >= 4, <= 6"]} {
  %0 = tensor.cast %x {luna.bounds = array<i64: 0>, luna.class = "ISDOS", luna.shape = ["u0, 8"]} : tensor<?x8xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @kinds
// CHECK: memref.alloc() {luna.kind = "input"}
// CHECK: memref.alloc() {luna.kind = "staging"}
func.func @kinds(%x: memref<4xi8, #p>) {
  %a = memref.alloc() {luna.kind = "input"} : memref<4xi8, #s>
  memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
  %b = memref.alloc() {luna.kind = "staging"} : memref<4xi8, #s>
  memref.copy %a, %b : memref<4xi8, #s> to memref<4xi8, #s>
  memref.copy %b, %x : memref<4xi8, #s> to memref<4xi8, #p>
  return
}

// CHECK-LABEL: func.func @planned
// CHECK-SAME: luna.arena_bytes = 4 : i64, luna.bound = {activation_bytes = 1 : i64, path = "straight", step = "a", tensor_bytes = 2 : i64, total_bytes = 3 : i64}, luna.cost = {at_most = 5 : i64, paths = []}, luna.dma = "sync", luna.joins_tried = {drafts = 2 : i64, plans = 1 : i64}
// CHECK: memref.alloc() {luna.place = #luna.place<id = 7, offset = 0, kind = output, name = "y">}
// CHECK: memref.alloc() : memref<4xi8, #luna.memory<psram>>
func.func @planned(%x: memref<4xi8, #p>, %y: memref<4xi8, #p>) attributes {luna.arena_bytes = 4 : i64, luna.bound = {activation_bytes = 1 : i64, path = "straight", step = "a", tensor_bytes = 2 : i64, total_bytes = 3 : i64}, luna.cost = {at_most = 5 : i64, paths = []}, luna.dma = "sync", luna.joins_tried = {drafts = 2 : i64, plans = 1 : i64}} {
  %a = memref.alloc() {luna.place = #luna.place<id = 7, offset = 0, kind = output, name = "y">} : memref<4xi8, #s>
  %b = memref.alloc() : memref<4xi8, #p>
  memref.copy %x, %b : memref<4xi8, #p> to memref<4xi8, #p>
  memref.copy %b, %a : memref<4xi8, #p> to memref<4xi8, #s>
  memref.copy %a, %y : memref<4xi8, #s> to memref<4xi8, #p>
  return
}

// Buffers of one place are two values.
// CHECK-LABEL: func.func @lowered
// CHECK-SAME: luna.buffers = [{bytes = 4 : i64, id = 0 : i64
// CHECK: luna.buffer 0 of %{{.*}} at 0
// CHECK: luna.buffer 1 of %{{.*}} at 0
func.func @lowered(%x: memref<4xi8, #p>, %y: memref<4xi8, #p>, %arena: memref<4xi8, #s>) attributes {luna.buffers = [{bytes = 4 : i64, id = 0 : i64, kind = "input", name = "x", offset = 0 : i64}, {bytes = 4 : i64, id = 1 : i64, kind = "tensor", name = "t", offset = 0 : i64}]} {
  %a = luna.buffer 0 of %arena at 0 : memref<4xi8, #s> to memref<4xi8, #s>
  memref.copy %x, %a : memref<4xi8, #p> to memref<4xi8, #s>
  %b = luna.buffer 1 of %arena at 0 : memref<4xi8, #s> to memref<4xi8, #s>
  memref.copy %b, %y : memref<4xi8, #s> to memref<4xi8, #p>
  return
}
