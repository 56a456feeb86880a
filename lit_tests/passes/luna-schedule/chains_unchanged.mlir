// RUN: luna-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(luna-schedule))' | FileCheck %s

// One branch: as many buffers with or without.
// CHECK-LABEL: @one
func.func @one(%f: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  // CHECK: = scf.if %{{.*}} -> (memref<64x64xi8>) {
  %r = scf.if %f -> memref<64x64xi8> {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  linalg.transpose ins(%r : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// What a region yields is not a new buffer: it is that of the caller.
// CHECK-LABEL: @outer
func.func @outer(%f: i1, %g: i1, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  // CHECK: = scf.if %{{.*}} -> (memref<64x64xi8>) {
  %r = scf.if %f -> memref<64x64xi8> {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %in : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  // CHECK: = scf.if %{{.*}} -> (memref<64x64xi8>) {
  %s = scf.if %g -> memref<64x64xi8> {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %in : memref<64x64xi8>
  } else {
    scf.yield %r : memref<64x64xi8>
  }
  linalg.transpose ins(%s : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// The other buffer of the exchange would be live in every turn.
// CHECK-LABEL: @loop
func.func @loop(%f: i1, %g: i1, %n: index, %in: memref<64x64xi8>, %out: memref<64x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64x64xi8>
  linalg.transpose ins(%in : memref<64x64xi8>) outs(%x : memref<64x64xi8>) permutation = [1, 0]
  scf.for %i = %c0 to %n step %c1 {
  // CHECK: = scf.if %{{.*}} -> (memref<64x64xi8>) {
  %r = scf.if %f -> memref<64x64xi8> {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  } else {
    scf.yield %x : memref<64x64xi8>
  }
  // CHECK: = scf.if %{{.*}} -> (memref<64x64xi8>) {
  %s = scf.if %g -> memref<64x64xi8> {
    %y = memref.alloc() : memref<64x64xi8>
    linalg.transpose ins(%r : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
    scf.yield %y : memref<64x64xi8>
  } else {
    scf.yield %r : memref<64x64xi8>
  }
  linalg.transpose ins(%s : memref<64x64xi8>) outs(%out : memref<64x64xi8>) permutation = [1, 0]
  }
  return
}
