// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-order{steps=0}))' | FileCheck %s

func.func @main(%f: i1, %in: memref<64xi8>, %out: memref<64xi8>) {
  %x = memref.alloc() : memref<64xi8>
  memref.copy %in, %x : memref<64xi8> to memref<64xi8>
  %r = scf.if %f -> (memref<64xi8>) {
    %y = memref.alloc() : memref<64xi8>
    linalg.reduce ins(%x : memref<64xi8>) outs(%y : memref<64xi8>) dimensions = []
      (%a: i8, %b: i8) { linalg.yield %a : i8 }
    scf.yield %y : memref<64xi8>
  } else {
    scf.yield %x : memref<64xi8>
  }
  %copy = memref.alloc() : memref<64xi8>
  memref.copy %r, %copy : memref<64xi8> to memref<64xi8>
  memref.copy %copy, %out : memref<64xi8> to memref<64xi8>
  return
}

// The operator needs %x and %y. What the branches and the copies pass on is
// there already.
// CHECK: luna.bound = {activation_bytes = 128 : i64, path = "if0=then", step = "linalg.reduce", tensor_bytes = 128 : i64, total_bytes = 128 : i64}
