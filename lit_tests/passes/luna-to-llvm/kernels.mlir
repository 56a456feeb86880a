// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm{model=k})' | FileCheck %s

// Operators of the host core that compute the same on the same types share a
// function, wherever their buffers lie and whatever they are called.

!chip = memref<16xi8, #luna.memory<shared>>
!short = memref<8xi8, #luna.memory<shared>>
!half = memref<8xi8, strided<[1], offset: 8>, #luna.memory<shared>>
!even = memref<8xi8, strided<[2]>, #luna.memory<shared>>
#same = affine_map<(d0) -> (d0)>
#back = affine_map<(d0) -> (15 - d0)>
#attrs = {indexing_maps = [#same, #same], iterator_types = ["parallel"]}

// CHECK: func.func private @luna_model_k_host0(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK: func.func private @luna_model_k_host1(
// CHECK: func.func private @luna_model_k_host2(
// CHECK: func.func private @luna_model_k_host3(
// CHECK: func.func private @luna_model_k_host4(
// CHECK: func.func private @luna_model_k_host5(
// CHECK: func.func private @luna_model_k_host6(
// CHECK: func.func private @luna_model_k_host7(
// CHECK-NOT: luna_model_k_host8
// CHECK-LABEL: func.func @luna_model_k(
func.func @main() attributes {luna.arena_bytes = 48} {
  %two = arith.constant 2 : i8
  %three = arith.constant 3 : i8
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : !chip
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : !chip
  %c = memref.alloc() {luna.place = #luna.place<id = 2, offset = 32, kind = tensor>} : !chip
  // CHECK: %[[B:.*]] = llvm.getelementptr %[[A:.*]][16]
  // CHECK: call @luna_model_k_host0(%[[A]], %[[B]])
  linalg.generic #attrs ins(%a : !chip) outs(%b : !chip) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %in, %two : i8
    linalg.yield %0 : i8
  } loc("first")

  // Other buffers, another name.
  // CHECK: %[[C:.*]] = llvm.getelementptr %[[A]][32]
  // CHECK: call @luna_model_k_host0(%{{.*}}, %[[C]])
  linalg.generic #attrs ins(%b : !chip) outs(%c : !chip) {
  ^bb0(%x: i8, %y: i8):
    %0 = arith.muli %x, %two : i8
    linalg.yield %0 : i8
  } loc("second")

  // One buffer for both is one pointer.
  // CHECK: call @luna_model_k_host1(%[[A]])
  linalg.generic #attrs ins(%a : !chip) outs(%a : !chip) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %in, %two : i8
    linalg.yield %0 : i8
  }

  // Another constant.
  // CHECK: call @luna_model_k_host2(
  linalg.generic #attrs ins(%a : !chip) outs(%b : !chip) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %in, %three : i8
    linalg.yield %0 : i8
  }

  // Another operand.
  // CHECK: call @luna_model_k_host3(
  linalg.generic #attrs ins(%a : !chip) outs(%b : !chip) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %out, %two : i8
    linalg.yield %0 : i8
  }

  // Another operation.
  // CHECK: call @luna_model_k_host4(
  linalg.generic #attrs ins(%a : !chip) outs(%b : !chip) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %two : i8
    linalg.yield %0 : i8
  }

  // Another order of access.
  // CHECK: call @luna_model_k_host5(
  linalg.generic {indexing_maps = [#back, #same], iterator_types = ["parallel"]} ins(%a : !chip) outs(%b : !chip) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %in, %two : i8
    linalg.yield %0 : i8
  }

  // Another shape; where a slice begins is no part of it, its strides are.
  // CHECK: call @luna_model_k_host6(
  // CHECK: call @luna_model_k_host7(
  // CHECK: call @luna_model_k_host6(
  %first = memref.subview %a[0] [8] [1] : !chip to memref<8xi8, strided<[1]>, #luna.memory<shared>>
  %last = memref.subview %a[8] [8] [1] : !chip to !half
  %even = memref.subview %a[0] [8] [2] : !chip to !even
  %to = memref.alloc() {luna.place = #luna.place<id = 3, offset = 40, kind = tensor>} : !short
  linalg.generic #attrs ins(%last : !half) outs(%to : !short) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %in, %two : i8
    linalg.yield %0 : i8
  }
  linalg.generic #attrs ins(%even : !even) outs(%to : !short) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %in, %two : i8
    linalg.yield %0 : i8
  }
  linalg.generic #attrs ins(%first : memref<8xi8, strided<[1]>, #luna.memory<shared>>) outs(%to : !short) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %in, %two : i8
    linalg.yield %0 : i8
  }
  return
}
