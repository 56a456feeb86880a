// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-propagate-shapes)' | FileCheck %s

// A late symbol in `else` only: what meets is another one.
// CHECK-LABEL: @late
// CHECK: scf.if
// CHECK: tosa.custom {{.*}} luna.class = "EDO", luna.shape = ["u0, 8"]
// CHECK: tosa.abs {{.*}}luna.class = "ISDOS", luna.shape = ["u0, 8"]
// CHECK: } {luna.class = "EDO", luna.shape = ["u1, 8"]}
func.func @late(%c: i1, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = scf.if %c -> tensor<?x8xf32> {
    scf.yield %x : tensor<?x8xf32>
  } else {
    %1 = tosa.custom %x {operator_name = "nonzero", domain_name = "d", implementation_attrs = ""} : (tensor<?x8xf32>) -> tensor<?x8xf32>
    %2 = tosa.abs %1 : (tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %2 : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// Where the ways differ, their bounds remain.
// CHECK-LABEL: @bound
// CHECK-SAME: luna.sizes = ["u0 >= 4, <= 6"]
// CHECK: scf.index_switch {{.*}} -> tensor<?x8xf32>
// CHECK: tensor.cast %arg1 : tensor<4x8xf32> to tensor<?x8xf32>
func.func @bound(%i: index, %a: tensor<4x8xf32>, %b: tensor<6x8xf32>, %d: tensor<5x8xf32>) -> tensor<?x?xf32> {
  %r = scf.index_switch %i -> tensor<?x?xf32>
  case 0 {
    %0 = tensor.cast %a : tensor<4x8xf32> to tensor<?x?xf32>
    scf.yield %0 : tensor<?x?xf32>
  }
  case 1 {
    %0 = tensor.cast %b : tensor<6x8xf32> to tensor<?x?xf32>
    scf.yield %0 : tensor<?x?xf32>
  }
  default {
    %0 = tensor.cast %d : tensor<5x8xf32> to tensor<?x?xf32>
    scf.yield %0 : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// Storage made in one branch and read after the other: both ways have a shape.
// CHECK-LABEL: @storage
// CHECK: scf.if {{.*}} -> (tensor<4x8xf32>)
// CHECK: scf.yield %{{.*}} : tensor<4x8xf32>
// CHECK: scf.yield %arg1 : tensor<4x8xf32>
// CHECK: tosa.concat {{.*}} -> tensor<8x8xf32>
func.func @storage(%c: i1, %x: tensor<4x8xf32>) -> tensor<*xf32> {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<4x8xf32>
  %z = arith.constant 0.0 : f32
  %r = scf.if %c -> tensor<?x8xf32> {
    %e = tensor.empty(%d0) : tensor<?x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %f : tensor<?x8xf32>
  } else {
    %y = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  %s = tosa.concat %r, %x {axis = 0 : i32} : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<*xf32>
  return %s : tensor<*xf32>
}

// A body that never runs demands nothing: only inside is the size known.
// CHECK-LABEL: @zero_trips(%arg0: tensor<?x8xf32>
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0) -> (tensor<?x8xf32>)
// CHECK: %[[K:.*]] = tensor.cast %[[A]] : tensor<?x8xf32> to tensor<4x8xf32>
// CHECK: tosa.abs %[[K]]
// CHECK: } {luna.class = "EDO"
func.func @zero_trips(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x8xf32> {
    %1 = tosa.abs %a : (tensor<?x8xf32>) -> tensor<4x8xf32>
    %2 = tensor.cast %1 : tensor<4x8xf32> to tensor<?x8xf32>
    scf.yield %2 : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// Two values that a loop exchanges keep their common shape.
// CHECK-LABEL: @exchange
// CHECK: tosa.while_loop {{.*}} -> (tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32>)
func.func @exchange(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %c: tensor<i1>) -> (tensor<?x?xf32>, tensor<*xf32>) {
  %0 = tensor.cast %x : tensor<4x8xf32> to tensor<?x?xf32>
  %1 = tensor.cast %y : tensor<4x8xf32> to tensor<*xf32>
  %r:3 = tosa.while_loop (%a = %c, %b = %0, %d = %1) : (tensor<i1>, tensor<?x?xf32>, tensor<*xf32>) -> (tensor<i1>, tensor<?x?xf32>, tensor<*xf32>) {
    tosa.yield %a : tensor<i1>
  } do {
  ^bb0(%a: tensor<i1>, %b: tensor<?x?xf32>, %d: tensor<*xf32>):
    %n = tosa.logical_not %a : (tensor<i1>) -> tensor<i1>
    %m = tosa.exp %d : (tensor<*xf32>) -> tensor<?x?xf32>
    %o = tosa.exp %b : (tensor<?x?xf32>) -> tensor<*xf32>
    tosa.yield %n, %m, %o : tensor<i1>, tensor<?x?xf32>, tensor<*xf32>
  }
  return %r#1, %r#2 : tensor<?x?xf32>, tensor<*xf32>
}

// A size that grows has no bound.
// CHECK-LABEL: @grows
// CHECK: scf.while
// CHECK: tosa.concat {{.*}} luna.shape = ["u0 + 4, 8"]
// CHECK: luna.shape = ["u1, 8"]
func.func @grows(%x: tensor<4x8xf32>, %c: i1) -> tensor<?x8xf32> {
  %0 = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %r = scf.while (%a = %0) : (tensor<?x8xf32>) -> tensor<?x8xf32> {
    scf.condition(%c) %a : tensor<?x8xf32>
  } do {
  ^bb0(%a: tensor<?x8xf32>):
    %m = tosa.concat %a, %x {axis = 0 : i32} : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
    scf.yield %m : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: @cond_if
// CHECK: tosa.cond_if {{.*}} -> tensor<4x8xf32>
func.func @cond_if(%x: tensor<4x8xf32>, %c: tensor<i1>) -> tensor<*xf32> {
  %0 = tensor.cast %x : tensor<4x8xf32> to tensor<*xf32>
  %r = tosa.cond_if %c (%a = %0) : tensor<i1> (tensor<*xf32>) -> tensor<*xf32> {
  ^bb0(%a: tensor<*xf32>):
    %m = tosa.exp %a : (tensor<*xf32>) -> tensor<*xf32>
    tosa.yield %m : tensor<*xf32>
  } else {
  ^bb0(%a: tensor<*xf32>):
    tosa.yield %a : tensor<*xf32>
  }
  return %r : tensor<*xf32>
}

// Code that cannot run may not fit.
// CHECK-LABEL: @dead
// CHECK: tensor.cast %{{.*}} : tensor<?x8xf32> to tensor<4x8xf32>
func.func @dead(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %f = arith.constant false
  %0 = tensor.cast %x : tensor<5x8xf32> to tensor<?x8xf32>
  %r = scf.if %f -> tensor<5x8xf32> {
    %1 = tensor.cast %0 : tensor<?x8xf32> to tensor<4x8xf32>
    %2 = tosa.concat %1, %1 {axis = 0 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %s = tensor.extract_slice %2[0, 0] [5, 8] [1, 1] : tensor<8x8xf32> to tensor<5x8xf32>
    scf.yield %s : tensor<5x8xf32>
  } else {
    scf.yield %x : tensor<5x8xf32>
  }
  return %r : tensor<5x8xf32>
}

// A function that is called keeps its type.
// CHECK-LABEL: func.func @called(%arg0: tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK: tensor.cast %arg0 : tensor<?x8xf32> to tensor<4x8xf32>
// CHECK: tensor.cast %{{.*}} : tensor<4x8xf32> to tensor<?x8xf32>
func.func @called(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = tosa.abs %x : (tensor<?x8xf32>) -> tensor<4x8xf32>
  %1 = tosa.abs %0 : (tensor<4x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}
// CHECK-LABEL: func.func @caller
// CHECK: call @called(%{{.*}}) {luna.class = "EDO", luna.shape = ["u0, 8"]} : (tensor<?x8xf32>) -> tensor<?x8xf32>
func.func @caller(%x: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %1 = call @called(%0) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// A way whose shape does not fit what follows.
// CHECK-LABEL: @one_way
// CHECK: %[[R:.*]] = scf.if {{.*}} -> (tensor<8x?xf32>)
// CHECK: tensor.cast %[[R]] : tensor<8x?xf32> to tensor<8x3xf32>
func.func @one_way(%c: i1, %x: tensor<8x2xf32>, %y: tensor<?x?xf32>) -> tensor<8x3xf32> {
  %r = scf.if %c -> tensor<?x?xf32> {
    %0 = tosa.exp %x : (tensor<8x2xf32>) -> tensor<*xf32>
    %1 = tensor.cast %0 : tensor<*xf32> to tensor<?x?xf32>
    scf.yield %1 : tensor<?x?xf32>
  } else {
    scf.yield %y : tensor<?x?xf32>
  }
  %s = tosa.cos %r : (tensor<?x?xf32>) -> tensor<8x3xf32>
  return %s : tensor<8x3xf32>
}

// A body that reads a tensor, and branches.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: @body
// CHECK: tensor.extract %{{.*}} : tensor<4x8xf32>
// CHECK: scf.if
func.func @body(%x: tensor<4x8xf32>, %c: i1) -> tensor<?x?xf32> {
  %0 = tosa.exp %x : (tensor<4x8xf32>) -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<?x?xf32>) {
  ^bb0(%b: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %y = tensor.extract %0[%i, %j] : tensor<?x?xf32>
    %t = scf.if %c -> tensor<?x?xf32> {
      scf.yield %0 : tensor<?x?xf32>
    } else {
      scf.yield %0 : tensor<?x?xf32>
    }
    %z = tensor.extract %t[%i, %j] : tensor<?x?xf32>
    %s = arith.addf %y, %z : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
