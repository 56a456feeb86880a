// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm{model=k kernel-sizes=argument})' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm{model=k})' | FileCheck %s --check-prefix=CONSTANT

// With sizes as arguments operators of other sizes and strides share a function,
// which reads them from the descriptors of its boxes; one that loads by indices
// of its own keeps its sizes, and so does one that has no other sizes.

#s = #luna.memory<shared>
#same = affine_map<(d0) -> (d0)>
#attrs = {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
#one = {indexing_maps = [#same], iterator_types = ["parallel"]}

// CHECK: func.func private @luna_model_k_host0(%[[IN:.*]]: !llvm.ptr, %[[BOX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: %[[SIZES:.*]] = llvm.getelementptr %[[BOX]][12]
// CHECK: %[[SIZE:.*]] = llvm.load %[[SIZES]]
// CHECK: %[[WIDE:.*]] = llvm.sext %[[SIZE]]
// CHECK: %[[STRIDES:.*]] = llvm.getelementptr %[[BOX]][36]
// CHECK: %[[STRIDE:.*]] = llvm.load %[[STRIDES]]
// CHECK: %[[FAR:.*]] = llvm.sext %[[STRIDE]]
// CHECK: llvm.insertvalue %[[WIDE]], %{{.*}}[3, 0]
// CHECK: llvm.insertvalue %[[FAR]], %{{.*}}[4, 0]
// CHECK: builtin.unrealized_conversion_cast {{.*}} to memref<?xi8, strided<[?]>>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<?xi8, strided<[?]>>)
// CHECK: func.func private @luna_model_k_host1(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: func.func private @luna_model_k_host2(
// CHECK: func.func private @luna_model_k_host3(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: memref<16xi8>
// CHECK-LABEL: func.func @luna_model_k(
// CONSTANT: func.func private @luna_model_k_host4(
// CONSTANT-LABEL: func.func @luna_model_k(
func.func @main() attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<16xi8, #s>
  %c = memref.alloc() {luna.place = #luna.place<id = 2, offset = 32, kind = tensor>} : memref<8xi8, #s>
  %even = memref.subview %a[0] [8] [2] : memref<16xi8, #s> to memref<8xi8, strided<[2]>, #s>
  // CHECK: call @luna_rt_host_operand(%[[FIRST:[a-z0-9_]+]], %[[A:[a-z0-9_]+]])
  // CHECK: call @luna_rt_host_operand(%[[SECOND:[a-z0-9_]+]], %[[B:[a-z0-9_]+]])
  // CHECK: call @luna_model_k_host0(%[[A]], %[[FIRST]], %[[B]], %[[SECOND]])
  linalg.generic #attrs ins(%a : memref<16xi8, #s>) outs(%b : memref<16xi8, #s>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %in : i8
    linalg.yield %0 : i8
  }
  // CHECK: call @luna_model_k_host0(
  linalg.generic #attrs ins(%even : memref<8xi8, strided<[2]>, #s>) outs(%c : memref<8xi8, #s>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %in : i8
    linalg.yield %0 : i8
  }
  // CHECK: call @luna_model_k_host1(
  linalg.generic #one outs(%b : memref<16xi8, #s>) {
  ^bb0(%out: i8):
    %i = linalg.index 0 : index
    %0 = memref.load %a[%i] : memref<16xi8, #s>
    linalg.yield %0 : i8
  }
  // CHECK: call @luna_model_k_host2(
  linalg.generic #one outs(%c : memref<8xi8, #s>) {
  ^bb0(%out: i8):
    %i = linalg.index 0 : index
    %0 = memref.load %a[%i] : memref<16xi8, #s>
    linalg.yield %0 : i8
  }
  // CHECK: call @luna_model_k_host3(
  linalg.generic #attrs ins(%a : memref<16xi8, #s>) outs(%b : memref<16xi8, #s>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.muli %in, %in : i8
    linalg.yield %0 : i8
  }
  return
}
