// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-insert-dma{mode=auto}))' | FileCheck %s
// Prefetching across joins: what a region after a branch loads first is started
// at the end of every branch, as late as the rest of the branch hides it.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
memref.global "private" constant @w0 : memref<256xi8, #p> = dense<1>
memref.global "private" constant @w1 : memref<256xi8, #p> = dense<2>
memref.global "private" constant @w2 : memref<256xi8, #p> = dense<3>

// A transfer of 256 bytes takes as long as less than one luna.sub, so that it
// starts right before it; a branch that did not exist starts it, too.
// CHECK-LABEL: func.func @join(
// CHECK: %[[STAGING:.*]] = memref.alloc() {luna.kind = "staging"} : memref<256xi8
// CHECK: %[[IF:.*]] = scf.if
// CHECK: %[[THEN:.*]] = luna.region 0
// CHECK: luna.add
// CHECK: %[[TOKEN:.*]] = luna.dma_start %{{.*}} to %[[STAGING]]
// CHECK-NEXT: luna.sub
// CHECK-NEXT: luna.yield %[[TOKEN]]
// CHECK: scf.yield %[[THEN]]
// CHECK: else
// CHECK: luna.region 1
// CHECK: luna.dma_start %{{.*}} to %[[STAGING]]
// CHECK-NEXT: luna.yield
// CHECK: luna.region 2
// CHECK-NEXT: luna.dma_wait %[[IF]]
// CHECK-NEXT: memref.view %[[STAGING]]
// CHECK-NEXT: luna.table
// CHECK-NEXT: luna.yield
func.func @join(%c: i1, %x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    luna.region 0 {
      luna.add ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.sub ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
  }
  luna.region 1 {
    %p0 = memref.get_global @w0 : memref<256xi8, #p>
    %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
    luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
    luna.yield
  }
  return
}

// Not before the last transfer of the branch: the engine takes one at a time.
// CHECK-LABEL: func.func @after_other_transfers(
// CHECK: luna.dma_start
// CHECK: luna.dma_wait
// CHECK: luna.dma_start
// CHECK-NEXT: luna.table
// CHECK-NEXT: luna.yield
// CHECK: else
// CHECK: luna.dma_start
// CHECK-NOT: luna.dma_start
// CHECK: return
func.func @after_other_transfers(%c: i1, %x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    luna.region 0 {
      %p0 = memref.get_global @w0 : memref<256xi8, #p>
      %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
      luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
      luna.yield
    }
  } else {
    luna.region 1 {
      luna.add ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
  }
  luna.region 2 {
    %p1 = memref.get_global @w1 : memref<256xi8, #p>
    %v1 = memref.view %p1[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
    luna.table ins(%x, %v1 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w1}
    luna.yield
  }
  return
}

// Only the first load of the region comes from the branches.
// CHECK-LABEL: func.func @others_stay(
// CHECK: %[[FIRST:.*]] = memref.alloc() {luna.kind = "staging"}
// CHECK: %[[IF:.*]] = scf.if
// CHECK: luna.region 2
// CHECK: luna.dma_wait %[[IF]]
// CHECK: %[[SECOND:.*]] = memref.alloc() {luna.kind = "staging"}
// CHECK: luna.dma_start %{{.*}} to %[[SECOND]]
// CHECK: memref.view %[[FIRST]]
// CHECK: luna.table
// CHECK: %[[THIRD:.*]] = memref.alloc() {luna.kind = "staging"}
// CHECK: luna.dma_start %{{.*}} to %[[THIRD]]
// CHECK: memref.view %[[SECOND]]
// CHECK: luna.table
// CHECK: memref.view %[[THIRD]]
// CHECK: luna.table
func.func @others_stay(%c: i1, %x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    luna.region 0 {
      luna.add ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
  } else {
    luna.region 1 {
      luna.sub ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
  }
  luna.region 2 {
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
  return
}

// A branch that ends with a branch hands the start on into it; an op that
// yields keeps what it yielded.
// CHECK-LABEL: func.func @nested(
// CHECK: %[[OUTER:.*]]:2 = scf.if %{{.*}} -> (i32, !luna.token)
// CHECK: %[[INNER:.*]]:2 = scf.if
// CHECK: %[[THEN:.*]] = luna.region 0
// CHECK: luna.dma_start
// CHECK: scf.yield %{{.*}}, %[[THEN]]
// CHECK: %[[ELSE:.*]] = luna.region 1
// CHECK: luna.dma_start
// CHECK: scf.yield %{{.*}}, %[[ELSE]]
// CHECK: scf.yield %[[INNER]]#0, %[[INNER]]#1
// CHECK: else
// CHECK: %[[OTHER:.*]] = luna.region 2
// CHECK: luna.dma_start
// CHECK: scf.yield %{{.*}}, %[[OTHER]]
// CHECK-NOT: luna.dma_start
// CHECK: luna.dma_wait %[[OUTER]]#1
// CHECK: return %[[OUTER]]#0
func.func @nested(%c: i1, %d: i1, %x: memref<4096xi8, #s>) -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %r = scf.if %c -> (i32) {
    %q = scf.if %d -> (i32) {
      luna.region 0 {
        luna.add ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
        luna.yield
      }
      scf.yield %one : i32
    } else {
      luna.region 1 {
        luna.sub ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
        luna.yield
      }
      scf.yield %two : i32
    }
    scf.yield %q : i32
  } else {
    luna.region 2 {
      luna.add ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
    scf.yield %two : i32
  }
  luna.region 3 {
    %p0 = memref.get_global @w0 : memref<256xi8, #p>
    %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
    luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
    luna.yield
  }
  return %r : i32
}

// A switch is a branch, too.
// CHECK-LABEL: func.func @switch(
// CHECK: %[[S:.*]] = scf.index_switch
// CHECK: case 4
// CHECK: luna.dma_start
// CHECK: default
// CHECK: luna.dma_start
// CHECK-NOT: luna.dma_start
// CHECK: luna.dma_wait %[[S]]
func.func @switch(%i: index, %x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  scf.index_switch %i
  case 4 {
    luna.region 0 {
      luna.add ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
    scf.yield
  }
  default {
    luna.region 1 {
      luna.sub ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
  }
  luna.region 2 {
    %p0 = memref.get_global @w0 : memref<256xi8, #p>
    %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
    luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
    luna.yield
  }
  return
}

// What comes first is no load of weights, or comes after a loop: as it was.
// CHECK-LABEL: func.func @nothing_to_start(
// CHECK: scf.if %{{.*}} {
// CHECK-NOT: luna.dma_start
// CHECK: scf.for
// CHECK-NOT: luna.dma_start
// CHECK: luna.region 3
// CHECK: luna.dma_start
func.func @nothing_to_start(%c: i1, %n: index, %x: memref<4096xi8, #s>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    luna.region 0 {
      luna.add ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
  }
  luna.region 1 {
    luna.sub ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
    luna.yield
  }
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    luna.region 2 {
      luna.add ins(%x, %x : memref<4096xi8, #s>, memref<4096xi8, #s>) outs(%x : memref<4096xi8, #s>) {requant = #luna.requant<mode = shift>}
      luna.yield
    }
  }
  luna.region 3 {
    %p0 = memref.get_global @w0 : memref<256xi8, #p>
    %v0 = memref.view %p0[%c0][] : memref<256xi8, #p> to memref<256xi8, #p>
    luna.table ins(%x, %v0 : memref<4096xi8, #s>, memref<256xi8, #p>) outs(%x : memref<4096xi8, #s>) {params = @w0}
    luna.yield
  }
  return
}
