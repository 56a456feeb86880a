// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-to-llvm)' | FileCheck %s

// Globals of equal bytes are stored once, whatever their shapes.
memref.global "private" constant @a : memref<4xi8> = dense<[1, 2, 3, 4]>
memref.global "private" constant @b : memref<2x2xi8> = dense<[[1, 2], [3, 4]]>
memref.global "private" constant @c : memref<1xi32> = dense<67305985>
memref.global "private" constant @d : memref<4xi8> = dense<[1, 2, 3, 5]>

// CHECK: llvm.mlir.global external constant @luna_model_model_weights(dense<[1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<32xi8>)
// CHECK-LABEL: func.func @luna_model_model(
// CHECK-SAME: %arg5: !llvm.ptr, %arg6: !llvm.ptr)
// CHECK: call @luna_rt_copy(%{{.*}}, %arg5, %arg0)
// CHECK: call @luna_rt_copy(%{{.*}}, %arg5, %arg1)
// CHECK: call @luna_rt_copy(%{{.*}}, %arg5, %arg2)
// CHECK: %[[D:.*]] = llvm.getelementptr %arg5[16]
// CHECK: call @luna_rt_copy(%{{.*}}, %[[D]], %arg3)
func.func @main(%x: memref<4xi8> {bufferize.result}, %y: memref<2x2xi8> {bufferize.result}, %z: memref<1xi32> {bufferize.result}, %w: memref<4xi8> {bufferize.result}, %arena: memref<16xi8, #luna.memory<shared>>) attributes {luna.buffers = []} {
  %a = memref.get_global @a : memref<4xi8>
  %b = memref.get_global @b : memref<2x2xi8>
  %c = memref.get_global @c : memref<1xi32>
  %d = memref.get_global @d : memref<4xi8>
  memref.copy %a, %x : memref<4xi8> to memref<4xi8>
  memref.copy %b, %y : memref<2x2xi8> to memref<2x2xi8>
  memref.copy %c, %z : memref<1xi32> to memref<1xi32>
  memref.copy %d, %w : memref<4xi8> to memref<4xi8>
  return
}
