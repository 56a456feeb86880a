// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

// Each branch keeps its allocation.

// Read afterwards.
// CHECK-LABEL: @live
func.func @live(%f: i1, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  %x = memref.alloc() : memref<4x4xi8>
  memref.copy %in, %x : memref<4x4xi8> to memref<4x4xi8>
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %f -> (memref<4x4xi8>) {
    // CHECK-NEXT: memref.alloc
    %y = memref.alloc() : memref<4x4xi8>
    memref.copy %in, %y : memref<4x4xi8> to memref<4x4xi8>
    scf.yield %y : memref<4x4xi8>
  } else {
    scf.yield %x : memref<4x4xi8>
  }
  // CHECK: memref.copy %[[R]]
  memref.copy %r, %out : memref<4x4xi8> to memref<4x4xi8>
  memref.copy %x, %out : memref<4x4xi8> to memref<4x4xi8>
  return
}

// -----

// Read under another name afterwards.
// CHECK-LABEL: @view
func.func @view(%f: i1, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  %x = memref.alloc() : memref<4x4xi8>
  memref.copy %in, %x : memref<4x4xi8> to memref<4x4xi8>
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x4xi8> into memref<16xi8>
  %square = memref.expand_shape %flat [[0, 1]] output_shape [4, 4] : memref<16xi8> into memref<4x4xi8>
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %f -> (memref<4x4xi8>) {
    // CHECK-NEXT: memref.alloc
    %y = memref.alloc() : memref<4x4xi8>
    memref.copy %in, %y : memref<4x4xi8> to memref<4x4xi8>
    scf.yield %y : memref<4x4xi8>
  } else {
    scf.yield %x : memref<4x4xi8>
  }
  // CHECK: memref.copy %[[R]]
  memref.copy %r, %out : memref<4x4xi8> to memref<4x4xi8>
  memref.copy %square, %out : memref<4x4xi8> to memref<4x4xi8>
  return
}

// -----

// Read by the operator that writes the result, in another order.
// CHECK-LABEL: @not_in_place
func.func @not_in_place(%f: i1, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  %x = memref.alloc() : memref<4x4xi8>
  memref.copy %in, %x : memref<4x4xi8> to memref<4x4xi8>
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %f -> (memref<4x4xi8>) {
    // CHECK-NEXT: memref.alloc
    %y = memref.alloc() : memref<4x4xi8>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %x : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
    ^bb0(%a: i8, %b: i8, %c: i8):
      %d = arith.addi %a, %b : i8
      linalg.yield %d : i8
    }
    scf.yield %y : memref<4x4xi8>
  } else {
    scf.yield %x : memref<4x4xi8>
  }
  // CHECK: memref.copy %[[R]]
  memref.copy %r, %out : memref<4x4xi8> to memref<4x4xi8>
  return
}

// -----

// Read by an elementwise operator, but under another name.
// CHECK-LABEL: @renamed
func.func @renamed(%f: i1, %in: memref<1x2x2x8xi8>, %out: memref<1x2x2x8xi8>) {
  %x = memref.alloc() : memref<1x2x2x8xi8>
  memref.copy %in, %x : memref<1x2x2x8xi8> to memref<1x2x2x8xi8>
  %turned = memref.transpose %x (a, b, c, d) -> (a, c, b, d) : memref<1x2x2x8xi8> to memref<1x2x2x8xi8, strided<[32, 8, 16, 1]>>
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %f -> (memref<1x2x2x8xi8>) {
    // CHECK-NEXT: memref.alloc
    %y = memref.alloc() : memref<1x2x2x8xi8>
    linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%turned : memref<1x2x2x8xi8, strided<[32, 8, 16, 1]>>) outs(%y : memref<1x2x2x8xi8>) {
    ^bb0(%a: i8, %b: i8):
      linalg.yield %a : i8
    }
    scf.yield %y : memref<1x2x2x8xi8>
  } else {
    scf.yield %x : memref<1x2x2x8xi8>
  }
  // CHECK: memref.copy %[[R]]
  memref.copy %r, %out : memref<1x2x2x8xi8> to memref<1x2x2x8xi8>
  return
}

// -----

// Read again in the next iteration.
// CHECK-LABEL: @loop
func.func @loop(%f: i1, %n: index, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<4x4xi8>
  memref.copy %in, %x : memref<4x4xi8> to memref<4x4xi8>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: %[[R:.*]] = scf.if
    %r = scf.if %f -> (memref<4x4xi8>) {
      // CHECK-NEXT: memref.alloc
      %y = memref.alloc() : memref<4x4xi8>
      memref.copy %in, %y : memref<4x4xi8> to memref<4x4xi8>
      scf.yield %y : memref<4x4xi8>
    } else {
      scf.yield %x : memref<4x4xi8>
    }
    // CHECK: memref.copy %[[R]]
    memref.copy %r, %out : memref<4x4xi8> to memref<4x4xi8>
  }
  return
}

// -----

// A buffer that the caller owns; one that a loop carries.
// CHECK-LABEL: @others
func.func @others(%f: i1, %n: index, %in: memref<4x4xi8>, %out: memref<4x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.if
  %r = scf.if %f -> (memref<4x4xi8>) {
    // CHECK-NEXT: memref.alloc
    %y = memref.alloc() : memref<4x4xi8>
    memref.copy %in, %y : memref<4x4xi8> to memref<4x4xi8>
    scf.yield %y : memref<4x4xi8>
  } else {
    scf.yield %in : memref<4x4xi8>
  }
  memref.copy %r, %out : memref<4x4xi8> to memref<4x4xi8>
  %z = memref.alloc() : memref<4x4xi8>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (memref<4x4xi8>) {
    %q = scf.if %f -> (memref<4x4xi8>) {
      // CHECK: memref.alloc
      %y = memref.alloc() : memref<4x4xi8>
      memref.copy %in, %y : memref<4x4xi8> to memref<4x4xi8>
      scf.yield %y : memref<4x4xi8>
    } else {
      scf.yield %a : memref<4x4xi8>
    }
    scf.yield %q : memref<4x4xi8>
  }
  memref.copy %l, %out : memref<4x4xi8> to memref<4x4xi8>
  return
}

// -----

// Read by the body of the operator that writes the result.
// CHECK-LABEL: @loaded
func.func @loaded(%f: i1, %in: memref<16xi8>, %out: memref<16xi8>) {
  %c15 = arith.constant 15 : index
  %x = memref.alloc() : memref<16xi8>
  memref.copy %in, %x : memref<16xi8> to memref<16xi8>
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %f -> (memref<16xi8>) {
    // CHECK-NEXT: memref.alloc
    %y = memref.alloc() : memref<16xi8>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%y : memref<16xi8>) {
    ^bb0(%b: i8):
      %i = linalg.index 0 : index
      %j = arith.subi %c15, %i : index
      %a = memref.load %x[%j] : memref<16xi8>
      linalg.yield %a : i8
    }
    scf.yield %y : memref<16xi8>
  } else {
    scf.yield %x : memref<16xi8>
  }
  // CHECK: memref.copy %[[R]]
  memref.copy %r, %out : memref<16xi8> to memref<16xi8>
  return
}
