// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-bound-shapes))' | FileCheck %s

// One size, which the other way does not have: it gets as much.
// CHECK-LABEL: @else_only(
func.func @else_only(%x: tensor<6xf32>, %p: i1, %n: index) -> tensor<?xf32> {
  // CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (tensor<6xf32>, index)
  %r = scf.if %p -> tensor<?xf32> {
    // CHECK: arith.constant 6 : index
    %d = tensor.cast %x : tensor<6xf32> to tensor<?xf32>
    scf.yield %d : tensor<?xf32>
  } else {
    // CHECK: arith.maxsi
    %s = tensor.extract_slice %x[0] [%n] [1] : tensor<6xf32> to tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Branches in branches, of two results: counts come behind all of them.
// CHECK-LABEL: @nested(
func.func @nested(%x: tensor<6xf32>, %y: tensor<3xf32>, %p: i1, %q: i1) -> (tensor<?xf32>, tensor<2xf32>, tensor<?xf32>) {
  %two = arith.constant dense<2.0> : tensor<2xf32>
  // CHECK: %[[R:.*]]:5 = scf.if %{{.*}} -> (tensor<6xf32>, tensor<2xf32>, tensor<3xf32>, index, index)
  %r:3 = scf.if %p -> (tensor<?xf32>, tensor<2xf32>, tensor<?xf32>) {
    // CHECK: scf.if %{{.*}} -> (tensor<6xf32>, index)
    %i = scf.if %q -> tensor<?xf32> {
      %d = tensor.cast %x : tensor<6xf32> to tensor<?xf32>
      scf.yield %d : tensor<?xf32>
    } else {
      %d = tensor.cast %y : tensor<3xf32> to tensor<?xf32>
      scf.yield %d : tensor<?xf32>
    }
    %e = tensor.cast %two : tensor<2xf32> to tensor<?xf32>
    scf.yield %i, %two, %e : tensor<?xf32>, tensor<2xf32>, tensor<?xf32>
  } else {
    %d = tensor.cast %y : tensor<3xf32> to tensor<?xf32>
    scf.yield %d, %two, %d : tensor<?xf32>, tensor<2xf32>, tensor<?xf32>
  }
  // CHECK: return %{{.*}}, %[[R]]#1, %{{.*}}, %{{.*}}, %{{.*}} : tensor<6xf32>, tensor<2xf32>, tensor<3xf32>, tensor<1xi32>, tensor<1xi32>
  return %r#0, %r#1, %r#2 : tensor<?xf32>, tensor<2xf32>, tensor<?xf32>
}

// A slice in a loop, in which no value stays open.
// CHECK-LABEL: @loop(
func.func @loop(%x: tensor<8xi8>, %n: index) -> tensor<8xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} -> (tensor<8xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xi8>) {
    // CHECK-NOT: tensor<?
    %s = tensor.extract_slice %x[%i] [%i] [1] : tensor<8xi8> to tensor<?xi8>
    %b = tensor.insert_slice %s into %a[0] [%i] [1] : tensor<?xi8> into tensor<8xi8>
    scf.yield %b : tensor<8xi8>
  }
  // CHECK: return
  return %r : tensor<8xi8>
}
