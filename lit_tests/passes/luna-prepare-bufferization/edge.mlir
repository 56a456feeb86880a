// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-prepare-bufferization{levels=1})' | FileCheck %s

// A while begins with copies, too; what is not a tensor of static shape stays.
// CHECK-LABEL: func.func @while(
// CHECK-SAME: %[[X:.*]]: tensor<4xi8>, %[[Y:.*]]: tensor<?xi8>, %[[N:.*]]: index
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK-NOT: alloc_tensor
// CHECK: scf.while (%{{.*}} = %[[COPY]], %{{.*}} = %[[Y]], %{{.*}} = %[[N]])
func.func @while(%x: tensor<4xi8>, %y: tensor<?xi8>, %n: index) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %r:3 = scf.while (%a = %x, %b = %y, %i = %n) : (tensor<4xi8>, tensor<?xi8>, index) -> (tensor<4xi8>, tensor<?xi8>, index) {
    %goes_on = arith.cmpi ne, %i, %c0 : index
    scf.condition(%goes_on) %a, %b, %i : tensor<4xi8>, tensor<?xi8>, index
  } do {
  ^bb0(%a: tensor<4xi8>, %b: tensor<?xi8>, %i: index):
    scf.yield %a, %b, %c0 : tensor<4xi8>, tensor<?xi8>, index
  }
  return %r#0 : tensor<4xi8>
}

// What an scf.while passes on from outside, or a part of it, is copied; what a
// turn computes or receives is not.
// CHECK-LABEL: func.func @passed_on_from_outside
// CHECK: scf.condition(%{{.*}}) %[[A:.*]], %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK: ^bb0(%[[R:[a-z0-9]+]]: tensor<4xi8>,
// CHECK: %[[E:.*]] = tosa.abs
// CHECK: tensor.extract_slice
// CHECK: %[[S:.*]] = scf.if
// CHECK: %[[X:.*]] = bufferization.alloc_tensor() copy(%arg0)
// CHECK: %[[P:.*]] = bufferization.alloc_tensor() copy(%[[S]])
// CHECK: scf.yield %[[R]], %[[E]], %[[X]], %[[P]] :
func.func @passed_on_from_outside(%x: tensor<4xi8>, %y: tensor<8xi8>, %c: i1) -> tensor<4xi8> {
  %r:4 = scf.while (%a = %x, %b = %x, %d = %x, %e = %x) : (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
    scf.condition(%c) %a, %b, %d, %e : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
  } do {
  ^bb0(%a: tensor<4xi8>, %b: tensor<4xi8>, %d: tensor<4xi8>, %e: tensor<4xi8>):
    %n = tosa.abs %b : (tensor<4xi8>) -> tensor<4xi8>
    %s = tensor.extract_slice %y[4] [4] [1] : tensor<8xi8> to tensor<4xi8>
    %p = scf.if %c -> tensor<4xi8> {
      scf.yield %s : tensor<4xi8>
    } else {
      scf.yield %n : tensor<4xi8>
    }
    scf.yield %a, %n, %x, %p : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
  }
  return %r#0 : tensor<4xi8>
}
