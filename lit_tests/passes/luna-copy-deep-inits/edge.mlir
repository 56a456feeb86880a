// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-copy-deep-inits{levels=1}))' | FileCheck %s

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
