// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{mode=auto}))' | FileCheck %s
// Weights of a loop are loaded once, before it, where that stalls for less time
// than loading them in every iteration.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w0 : memref<256xi8, #p> = dense<1>
memref.global "private" constant @w1 : memref<256xi8, #p> = dense<2>
memref.global "private" constant @w2 : memref<256xi8, #p> = dense<3>

// CHECK-LABEL: func.func @kept(
// CHECK: %[[KEPT:.*]]:2 = luna.region 0
// CHECK: %[[A:.*]] = memref.alloc() {luna.kind = "staging"}
// CHECK: %[[T:.*]] = luna.dma_start %{{.*}} to %[[A]]
// CHECK-NEXT: luna.dma_wait %[[T]]
// CHECK: %[[B:.*]] = memref.alloc() {luna.kind = "staging"}
// CHECK: luna.dma_start %{{.*}} to %[[B]]
// CHECK-NEXT: luna.dma_wait
// CHECK: luna.yield %[[A]], %[[B]]
// CHECK: scf.for
// CHECK-NOT: luna.dma_
// CHECK: luna.table ins(%{{.*}}, %[[V:.*]] :
// CHECK-NOT: luna.dma_
// CHECK: return
func.func @kept(%x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    luna.region 0 {
      %p0 = memref.get_global @w0 : memref<256xi8, #p>
      %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
      %p1 = memref.get_global @w1 : memref<256xi8, #p>
      %v1 = memref.view %p1[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v1 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w1}
      luna.yield
    }
  }
  return
}

// Three loads before the loop stall longer than one in each of two iterations,
// where the computation hides the others.
// CHECK-LABEL: func.func @hidden_anyway(
// CHECK: scf.for
// CHECK: luna.dma_start
// CHECK: luna.dma_start
// CHECK: return
func.func @hidden_anyway(%x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c2 step %c1 {
    luna.region 0 {
      %p0 = memref.get_global @w0 : memref<256xi8, #p>
      %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
      %p1 = memref.get_global @w1 : memref<256xi8, #p>
      %v1 = memref.view %p1[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v1 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w1}
      %p2 = memref.get_global @w2 : memref<256xi8, #p>
      %v2 = memref.view %p2[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v2 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w2}
      luna.yield
    }
  }
  return
}

// One iteration, or an unknown number, keeps nothing.
// CHECK-LABEL: func.func @few_iterations(
// CHECK: scf.for
// CHECK: luna.dma_start
// CHECK: scf.for
// CHECK: luna.dma_start
func.func @few_iterations(%n: index, %x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c1 step %c1 {
    luna.region 0 {
      %p0 = memref.get_global @w0 : memref<256xi8, #p>
      %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
      luna.yield
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    luna.region 1 {
      %p1 = memref.get_global @w1 : memref<256xi8, #p>
      %v1 = memref.view %p1[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v1 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w1}
      luna.yield
    }
  }
  return
}

// The outermost loop that pays keeps its weights, those of branches and inner
// loops included, even where the inner one's bound is unknown.
// CHECK-LABEL: func.func @nested(
// CHECK: luna.region 0
// CHECK: luna.dma_start
// CHECK: luna.dma_start
// CHECK: scf.for
// CHECK-NOT: luna.dma_start
// CHECK: return
func.func @nested(%c: i1, %n: index, %x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    luna.region 0 {
      %p0 = memref.get_global @w0 : memref<256xi8, #p>
      %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
      luna.yield
    }
    scf.for %j = %c0 to %n step %c1 {
      scf.if %c {
        luna.region 1 {
          %p1 = memref.get_global @w1 : memref<256xi8, #p>
          %v1 = memref.view %p1[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
          luna.table ins(%x, %v1 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w1}
          luna.yield
        }
      }
    }
  }
  return
}

// A loop that does not pay leaves the choice to the loops in it.
// CHECK-LABEL: func.func @inner(
// CHECK: scf.for
// CHECK-NOT: luna.dma_start
// CHECK: luna.region 0
// CHECK: luna.dma_start
// CHECK: scf.for
// CHECK-NOT: luna.dma_start
// CHECK: return
func.func @inner(%n: index, %x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      luna.region 0 {
        %p0 = memref.get_global @w0 : memref<256xi8, #p>
        %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
        luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
        luna.yield
      }
    }
  }
  return
}

// The first of those loads starts in the region before, behind its last
// operator; a constant in between changes nothing.
// CHECK-LABEL: func.func @behind_the_region_before(
// CHECK: %[[EARLY:.*]] = memref.alloc() {luna.kind = "staging"}
// CHECK: %[[BEFORE:.*]] = luna.region 0
// CHECK: luna.dma_wait
// CHECK: %[[TOKEN:.*]] = luna.dma_start %{{.*}} to %[[EARLY]]
// CHECK: luna.table
// CHECK-NOT: luna.dma_
// CHECK: luna.yield %[[TOKEN]]
// CHECK: %[[KEPT:.*]] = luna.region 1
// CHECK-NEXT: luna.dma_wait %[[BEFORE]]
// CHECK-NEXT: luna.yield %[[EARLY]]
// CHECK: scf.for
// CHECK-NOT: luna.dma_
// CHECK: memref.view %[[KEPT]]
// CHECK-NOT: luna.dma_
// CHECK: return
func.func @behind_the_region_before(%x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  luna.region 0 {
    %p0 = memref.get_global @w0 : memref<256xi8, #p>
    %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
    luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
    luna.yield
  }
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    luna.region 1 {
      %p1 = memref.get_global @w1 : memref<256xi8, #p>
      %v1 = memref.view %p1[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v1 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w1}
      luna.yield
    }
  }
  return
}
