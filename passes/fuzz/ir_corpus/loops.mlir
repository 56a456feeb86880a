func.func @for_loop(%x: memref<4xi8>, %y: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<4xi8>) {
    %new = memref.alloc() : memref<4xi8>
    linalg.map {arith.addi} ins(%a, %a : memref<4xi8>, memref<4xi8>) outs(%new : memref<4xi8>)
    scf.yield %new : memref<4xi8>
  }
  memref.copy %r, %y : memref<4xi8> to memref<4xi8>
  return
}

func.func @while_loop(%x: memref<i32>, %y: memref<i32>) {
  %k = arith.constant 10 : i32
  %r = scf.while (%a = %x) : (memref<i32>) -> memref<i32> {
    %v = memref.load %a[] : memref<i32>
    %go = arith.cmpi slt, %v, %k : i32
    scf.condition(%go) %a : memref<i32>
  } do {
  ^bb0(%b: memref<i32>):
    %new = memref.alloc() : memref<i32>
    linalg.map {arith.addi} ins(%b, %b : memref<i32>, memref<i32>) outs(%new : memref<i32>)
    scf.yield %new : memref<i32>
  }
  memref.copy %r, %y : memref<i32> to memref<i32>
  return
}
