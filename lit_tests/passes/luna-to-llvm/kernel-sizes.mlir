// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm{model=k kernel-sizes=argument})' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-lower-plan),luna-to-llvm{model=k})' | FileCheck %s --check-prefix=CONSTANT

// With sizes as arguments operators of other sizes and strides share a function;
// one that loads by indices of its own keeps its sizes.

#s = #luna.memory<shared>
#same = affine_map<(d0) -> (d0)>
#attrs = {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
#one = {indexing_maps = [#same], iterator_types = ["parallel"]}

// CHECK: func.func private @luna_model_k_host0(%[[IN:.*]]: !llvm.ptr, %[[SIZE:.*]]: i64, %[[STRIDE:.*]]: i64, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: llvm.insertvalue %[[SIZE]], %{{.*}}[3, 0]
// CHECK: llvm.insertvalue %[[STRIDE]], %{{.*}}[4, 0]
// CHECK: builtin.unrealized_conversion_cast {{.*}} to memref<?xi8, strided<[?]>>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<?xi8, strided<[?]>>)
// CHECK: func.func private @luna_model_k_host1(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: func.func private @luna_model_k_host2(
// CHECK-LABEL: func.func @luna_model_k(
// CONSTANT: func.func private @luna_model_k_host3(
// CONSTANT-LABEL: func.func @luna_model_k(
func.func @main() attributes {luna.arena_bytes = 64} {
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<16xi8, #s>
  %b = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<16xi8, #s>
  %c = memref.alloc() {luna.place = #luna.place<id = 2, offset = 32, kind = tensor>} : memref<8xi8, #s>
  %even = memref.subview %a[0] [8] [2] : memref<16xi8, #s> to memref<8xi8, strided<[2]>, #s>
  // CHECK-DAG: %[[SIXTEEN:.*]] = llvm.mlir.constant(16 : i64)
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK: call @luna_model_k_host0(%{{.*}}, %[[SIXTEEN]], %[[ONE]], %{{.*}}, %{{.*}}, %{{.*}})
  linalg.generic #attrs ins(%a : memref<16xi8, #s>) outs(%b : memref<16xi8, #s>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %in : i8
    linalg.yield %0 : i8
  }
  // CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i64)
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK: call @luna_model_k_host0(%{{.*}}, %[[EIGHT]], %[[TWO]], %{{.*}}, %{{.*}}, %{{.*}})
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
  return
}
