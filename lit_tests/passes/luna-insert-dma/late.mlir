// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{mode=auto}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{mode=ping-pong}))' | FileCheck %s --check-prefix=ALL

// With mode=auto each blob has a staging buffer of its own, and what is marked
// is loaded right before its operator, also at the front of a region.

#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @a : memref<256xi8, #p> = dense<1>
memref.global "private" constant @b : memref<256xi8, #p> = dense<2>
memref.global "private" constant @c : memref<256xi8, #p> = dense<3>

// CHECK-LABEL: func.func @one_of_three
// CHECK: %[[A:.*]] = memref.alloc() {{.*}}kind = "staging"
// CHECK: %[[TA:.*]] = luna.dma_start %{{.*}} to %[[A]] :
// CHECK-NOT: luna.dma_start
// CHECK: luna.dma_wait %[[TA]]
// CHECK-NOT: luna.dma_start
// CHECK: luna.table
// CHECK: %[[B:.*]] = memref.alloc() {{.*}}kind = "staging"
// CHECK: %[[TB:.*]] = luna.dma_start %{{.*}} to %[[B]] :
// CHECK-NEXT: luna.dma_wait %[[TB]]
// CHECK: %[[C:.*]] = memref.alloc() {{.*}}kind = "staging"
// CHECK: %[[TC:.*]] = luna.dma_start %{{.*}} to %[[C]] :
// CHECK-NOT: luna.dma_wait
// CHECK: luna.table
// CHECK-NOT: late
// CHECK: luna.dma_wait %[[TC]]
// CHECK: luna.table
// Other modes heed no marks: two buffers, and a transfer beside each operator.
// ALL-LABEL: func.func @one_of_three
// ALL-COUNT-2: kind = "staging"
// ALL: luna.dma_wait
// ALL: luna.dma_start
// ALL: luna.table
// ALL-NOT: kind = "staging"
// ALL: luna.dma_wait
// ALL: luna.dma_start
// ALL-NOT: luna.dma_wait
// ALL-NOT: late
// ALL: luna.table
func.func @one_of_three(%x: memref<16xi8, #s>) {
  %c0 = arith.constant 0 : index
  luna.region 0 {
    %p = memref.get_global @a : memref<256xi8, #p>
    luna.table ins(%x, %p : memref<16xi8, #s>, memref<256xi8, #p>) outs(%x : memref<16xi8, #s>) {params = @a}
    %q = memref.get_global @b : memref<256xi8, #p>
    luna.table ins(%x, %q : memref<16xi8, #s>, memref<256xi8, #p>) outs(%x : memref<16xi8, #s>) {params = @b, late}
    %r = memref.get_global @c : memref<256xi8, #p>
    luna.table ins(%x, %r : memref<16xi8, #s>, memref<256xi8, #p>) outs(%x : memref<16xi8, #s>) {params = @c}
    luna.yield
  }
  return
}

// CHECK-LABEL: func.func @behind_a_join
// CHECK: scf.if
// CHECK-NOT: luna.dma_start {{.*}}256xi8
// CHECK: luna.region 2
// CHECK: %[[T:.*]] = luna.dma_start
// CHECK-NEXT: luna.dma_wait %[[T]]
func.func @behind_a_join(%x: memref<16xi8, #s>, %i: i1) {
  scf.if %i {
    luna.region 0 {
      luna.add ins(%x, %x : memref<16xi8, #s>, memref<16xi8, #s>) outs(%x : memref<16xi8, #s>) {requant = #luna.requant<mode = multiplier, multiplier = 1073741824, shift = 30>}
      luna.yield
    }
  } else {
    luna.region 1 {
      luna.yield
    }
  }
  luna.region 2 {
    %p = memref.get_global @a : memref<256xi8, #p>
    luna.table ins(%x, %p : memref<16xi8, #s>, memref<256xi8, #p>) outs(%x : memref<16xi8, #s>) {params = @a, late}
    luna.yield
  }
  return
}

// The weights of a loop are loaded in each iteration if one is late.
// CHECK-LABEL: func.func @in_a_loop
// CHECK-NOT: luna.dma_start
// CHECK: scf.for
// CHECK-NEXT: luna.region
// CHECK: luna.dma_start
// CHECK-NEXT: luna.dma_wait
func.func @in_a_loop(%x: memref<16xi8, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    luna.region 0 {
      %p = memref.get_global @a : memref<256xi8, #p>
      luna.table ins(%x, %p : memref<16xi8, #s>, memref<256xi8, #p>) outs(%x : memref<16xi8, #s>) {params = @a, late}
      luna.yield
    }
  }
  return
}
