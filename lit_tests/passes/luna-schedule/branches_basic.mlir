// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// The last operator works in place: a residual block.
// CHECK-LABEL: @in_place
func.func @in_place(%f: i1, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<4x4xi8>
  memref.copy %in, %x : memref<4x4xi8> to memref<4x4xi8>
  // CHECK: scf.if
  %r = scf.if %f -> (memref<4x4xi8>) {
    // CHECK-NEXT: %[[T:.*]] = memref.alloc()
    %t = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%x : memref<4x4xi8>) outs(%t : memref<4x4xi8>) permutation = [1, 0]
    // CHECK-NOT: memref.alloc
    %y = memref.alloc() : memref<4x4xi8>
    // CHECK: ins(%[[X]], %[[T]] {{.*}} outs(%[[X]]
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %t : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
    ^bb0(%a: i8, %b: i8, %c: i8):
      %d = arith.addi %a, %b : i8
      linalg.yield %d : i8
    }
    scf.yield %y : memref<4x4xi8>
  } else {
    scf.yield %x : memref<4x4xi8>
  }
  // CHECK: memref.copy %[[X]]
  memref.copy %r, %out : memref<4x4xi8> to memref<4x4xi8>
  return
}

// -----

// An operator of the unit in place, in one region of a switch of three; a chain
// of two.
// CHECK-LABEL: @chain
func.func @chain(%i: index, %in: memref<1x2x2x8xi8>, %out: memref<1x2x2x8xi8>) {
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<1x2x2x8xi8>
  memref.copy %in, %x : memref<1x2x2x8xi8> to memref<1x2x2x8xi8>
  // CHECK-NOT: memref.alloc
  %r = scf.index_switch %i -> memref<1x2x2x8xi8>
  case 1 {
    // CHECK: luna.add ins(%[[X]], %[[X]] {{.*}} outs(%[[X]]
    %y = memref.alloc() : memref<1x2x2x8xi8>
    luna.add ins(%x, %x : memref<1x2x2x8xi8>, memref<1x2x2x8xi8>) outs(%y : memref<1x2x2x8xi8>) {requant = #luna.requant<mode = shift>}
    scf.yield %y : memref<1x2x2x8xi8>
  }
  case 2 {
    // CHECK: luna.mul ins(%[[X]], %[[X]] {{.*}} outs(%[[X]]
    %y = memref.alloc() : memref<1x2x2x8xi8>
    luna.mul ins(%x, %x : memref<1x2x2x8xi8>, memref<1x2x2x8xi8>) outs(%y : memref<1x2x2x8xi8>) {requant = #luna.requant<mode = shift>}
    scf.yield %y : memref<1x2x2x8xi8>
  }
  default {
    scf.yield %x : memref<1x2x2x8xi8>
  }
  %s = scf.index_switch %i -> memref<1x2x2x8xi8>
  case 7 {
    // CHECK: luna.add ins(%[[X]], %[[X]] {{.*}} outs(%[[X]]
    %y = memref.alloc() : memref<1x2x2x8xi8>
    luna.add ins(%r, %r : memref<1x2x2x8xi8>, memref<1x2x2x8xi8>) outs(%y : memref<1x2x2x8xi8>) {requant = #luna.requant<mode = shift>}
    scf.yield %y : memref<1x2x2x8xi8>
  }
  default {
    scf.yield %r : memref<1x2x2x8xi8>
  }
  // CHECK: memref.copy %[[X]]
  memref.copy %s, %out : memref<1x2x2x8xi8> to memref<1x2x2x8xi8>
  return
}

// -----

// A buffer of one iteration, in a branch of a branch.
// CHECK-LABEL: @nested
func.func @nested(%f: i1, %g: i1, %n: index, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  %c7 = arith.constant 7 : i8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: scf.for
    // CHECK: %[[X:.*]] = memref.alloc()
    %x = memref.alloc() : memref<4x4xi8>
    memref.copy %in, %x : memref<4x4xi8> to memref<4x4xi8>
    scf.if %f {
      %r = scf.if %g -> (memref<4x4xi8>) {
        // CHECK: %[[T:.*]] = memref.alloc()
        %t = memref.alloc() : memref<4x4xi8>
        linalg.transpose ins(%x : memref<4x4xi8>) outs(%t : memref<4x4xi8>) permutation = [1, 0]
        // CHECK-NOT: memref.alloc
        %y = memref.alloc() : memref<4x4xi8>
        %flat = memref.collapse_shape %y [[0, 1]] : memref<4x4xi8> into memref<16xi8>
        linalg.fill ins(%c7 : i8) outs(%flat : memref<16xi8>)
        scf.yield %y : memref<4x4xi8>
      } else {
        scf.yield %x : memref<4x4xi8>
      }
      // CHECK: memref.copy %[[X]]
      memref.copy %r, %out : memref<4x4xi8> to memref<4x4xi8>
    } else {
      memref.copy %x, %out : memref<4x4xi8> to memref<4x4xi8>
    }
  }
  return
}

// -----

// Bodies compute the result in buffers of another type, or of their own.
// CHECK-LABEL: @types
func.func @types(%f: i1, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<4x4xi8>
  linalg.transpose ins(%in : memref<4x4xi8>) outs(%x : memref<4x4xi8>) permutation = [1, 0]
  %r = scf.if %f -> (memref<4x4xi8>) {
    // CHECK-NOT: memref.alloc
    // CHECK: memref.reinterpret_cast %[[X]]
    // CHECK-NOT: memref.copy
    %y = memref.alloc() : memref<16xi8>
    %c = memref.expand_shape %y [[0, 1]] output_shape [4, 4] : memref<16xi8> into memref<4x4xi8>
    linalg.transpose ins(%in : memref<4x4xi8>) outs(%c : memref<4x4xi8>) permutation = [1, 0]
    scf.yield %c : memref<4x4xi8>
  } else {
    scf.yield %x : memref<4x4xi8>
  }
  // CHECK: ins(%[[X]] {{.*}} outs(%arg2
  linalg.transpose ins(%r : memref<4x4xi8>) outs(%out : memref<4x4xi8>) permutation = [1, 0]
  // CHECK: %[[Y:.*]] = memref.alloc()
  %s = scf.if %f -> (memref<4x4xi8>) {
    %y = memref.alloc() : memref<4x4xi8>
    linalg.transpose ins(%in : memref<4x4xi8>) outs(%y : memref<4x4xi8>) permutation = [1, 0]
    scf.yield %y : memref<4x4xi8>
  } else {
    %y = memref.alloc() : memref<4x4xi8>
    // CHECK: linalg.add {{.*}} outs(%[[Y]]
    linalg.add ins(%in, %in : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>)
    scf.yield %y : memref<4x4xi8>
  }
  // CHECK: ins(%[[Y]] {{.*}} outs(%arg2
  linalg.transpose ins(%s : memref<4x4xi8>) outs(%out : memref<4x4xi8>) permutation = [1, 0]
  return
}
