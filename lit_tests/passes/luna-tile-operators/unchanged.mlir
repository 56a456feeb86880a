// RUN: luna-opt %s > %t.before
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators))' > %t.after
// RUN: diff %t.before %t.after

// Operators that are one launch, upstream's, and declarations.
func.func private @declared(memref<4xi8>)

func.func @main(%x: memref<1x4x4x8xi8>, %t: memref<256xi8>, %y: memref<1x4x4x8xi8>) {
  luna.table ins(%x, %t : memref<1x4x4x8xi8>, memref<256xi8>) outs(%y : memref<1x4x4x8xi8>)
  memref.copy %y, %x : memref<1x4x4x8xi8> to memref<1x4x4x8xi8>
  linalg.map {arith.addi} ins(%x, %x : memref<1x4x4x8xi8>, memref<1x4x4x8xi8>) outs(%y : memref<1x4x4x8xi8>)
  return
}
