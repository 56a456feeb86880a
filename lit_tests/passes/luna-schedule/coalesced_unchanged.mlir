// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// The copy is changed while the source is still read, or the other way round.
// CHECK-LABEL: func.func @changed_copy(
// CHECK-COUNT-2: memref.alloc
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<4x4xi8> to memref<4x4xi8>{{$}}
func.func @changed_copy(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %b = memref.alloc() : memref<4x4xi8>
  memref.copy %a, %b : memref<4x4xi8> to memref<4x4xi8>
  memref.store %v, %b[%c0, %c0] : memref<4x4xi8>
  memref.copy %b, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  memref.copy %a, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// CHECK-LABEL: func.func @changed_source(
// CHECK-COUNT-2: memref.alloc
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<4x4xi8> to memref<4x4xi8>{{$}}
func.func @changed_source(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %b = memref.alloc() : memref<4x4xi8>
  memref.copy %a, %b : memref<4x4xi8> to memref<4x4xi8>
  memref.store %v, %a[%c0, %c0] : memref<4x4xi8>
  memref.copy %b, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  memref.copy %a, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// Changed on one path, read on another after that: through a pointer.
// CHECK-LABEL: func.func @through_a_pointer(
// CHECK-COUNT-2: memref.alloc
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<4x4xi8> to memref<4x4xi8>{{$}}
func.func @through_a_pointer(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>, %f: i1, %v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %b = memref.alloc() : memref<4x4xi8>
  memref.copy %a, %b : memref<4x4xi8> to memref<4x4xi8>
  %c = memref.alloc() : memref<4x4xi8>
  memref.copy %y, %c : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %s = arith.select %f, %b, %c : memref<4x4xi8>
  memref.store %v, %s[%c0, %c0] : memref<4x4xi8>
  memref.copy %a, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  memref.copy %s, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// A part of a buffer is none.
// CHECK-LABEL: func.func @part(
// CHECK-COUNT-2: memref.alloc
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<2x4xi8, strided<[4, 1]>> to memref<2x4xi8>
func.func @part(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<2x4xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %p = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<4x4xi8> to memref<2x4xi8, strided<[4, 1]>>
  %b = memref.alloc() : memref<2x4xi8>
  memref.copy %p, %b : memref<2x4xi8, strided<[4, 1]>> to memref<2x4xi8>
  memref.copy %b, %y : memref<2x4xi8> to memref<2x4xi8, #luna.memory<psram>>
  return
}

// An operator that reads its operand in another order, or has no elements of
// its own, takes two buffers.
// CHECK-LABEL: func.func @not_elementwise(
// CHECK-COUNT-3: memref.alloc
func.func @not_elementwise(%x: memref<4x4xi8, #luna.memory<psram>>, %y: memref<4x4xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<4x4xi8>
  memref.copy %x, %a : memref<4x4xi8, #luna.memory<psram>> to memref<4x4xi8>
  %b = memref.alloc() : memref<4x4xi8>
  linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %a : memref<4x4xi8>, memref<4x4xi8>) outs(%b : memref<4x4xi8>) {
  ^bb0(%p: i8, %q: i8, %o: i8):
    %s = arith.addi %p, %q : i8
    linalg.yield %s : i8
  }
  %c = memref.alloc() : memref<4x4xi8>
  linalg.transpose ins(%b : memref<4x4xi8>) outs(%c : memref<4x4xi8>) permutation = [1, 0]
  memref.copy %c, %y : memref<4x4xi8> to memref<4x4xi8, #luna.memory<psram>>
  return
}

// What is copied, or overwritten, may be the argument instead.
// CHECK-LABEL: func.func @copied_argument(
// CHECK-COUNT-2: memref.alloc
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<16xi8> to memref<16xi8>{{$}}
func.func @copied_argument(%c: i1, %v: i8, %x: memref<16xi8>, %y: memref<16xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<16xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<16xi8>)
  %r = scf.if %c -> memref<16xi8> {
    scf.yield %x : memref<16xi8>
  } else {
    scf.yield %a : memref<16xi8>
  }
  %b = memref.alloc() : memref<16xi8>
  memref.copy %r, %b : memref<16xi8> to memref<16xi8>
  memref.copy %b, %y : memref<16xi8> to memref<16xi8, #luna.memory<psram>>
  return
}

// CHECK-LABEL: func.func @overwritten_argument(
// CHECK-COUNT-2: memref.alloc
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<16xi8> to memref<16xi8>{{$}}
func.func @overwritten_argument(%c: i1, %v: i8, %x: memref<16xi8>, %y: memref<16xi8, #luna.memory<psram>>) {
  %a = memref.alloc() : memref<16xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<16xi8>)
  %r = arith.select %c, %x, %a : memref<16xi8>
  %b = memref.alloc() : memref<16xi8>
  linalg.fill ins(%v : i8) outs(%b : memref<16xi8>)
  memref.copy %b, %r : memref<16xi8> to memref<16xi8>
  memref.copy %a, %y : memref<16xi8> to memref<16xi8, #luna.memory<psram>>
  return
}

// CHECK-LABEL: func.func @copied_global(
// CHECK-COUNT-2: memref.alloc
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<16xi8> to memref<16xi8>{{$}}
memref.global "private" constant @table : memref<16xi8> = dense<7>
func.func @copied_global(%c: i1, %v: i8, %y: memref<16xi8, #luna.memory<psram>>) {
  %t = memref.get_global @table : memref<16xi8>
  %a = memref.alloc() : memref<16xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<16xi8>)
  %r = arith.select %c, %t, %a : memref<16xi8>
  %b = memref.alloc() : memref<16xi8>
  memref.copy %r, %b : memref<16xi8> to memref<16xi8>
  memref.copy %b, %y : memref<16xi8> to memref<16xi8, #luna.memory<psram>>
  return
}

// Nothing to do.
// CHECK-LABEL: func.func @empty(
func.func @empty() {
  return
}
// CHECK: func.func private @declared()
func.func private @declared()
