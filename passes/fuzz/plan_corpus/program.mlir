func.func @carried(%x: memref<4xi8, #luna.memory<psram>>, %y: memref<4xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
  memref.copy %x, %a : memref<4xi8, #luna.memory<psram>> to memref<4xi8, #luna.memory<shared>>
  scf.for %i = %c0 to %c4 step %c1 {
    %n = memref.alloc() {luna.place = #luna.place<id = 1, offset = 16, kind = tensor>} : memref<4xi8, #luna.memory<shared>>
    luna.add ins(%a, %a : memref<4xi8, #luna.memory<shared>>, memref<4xi8, #luna.memory<shared>>) outs(%n : memref<4xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = shift>}
    memref.copy %n, %a : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<shared>>
  }
  memref.copy %a, %y : memref<4xi8, #luna.memory<shared>> to memref<4xi8, #luna.memory<psram>>
  return
}
luna.program @p {
  func.func @carried(%x: memref<4xi8>, %y: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %x) -> (memref<4xi8>) {
      %n = memref.alloc() : memref<4xi8>
      luna.add ins(%v, %v : memref<4xi8>, memref<4xi8>) outs(%n : memref<4xi8>) {requant = #luna.requant<mode = shift>}
      scf.yield %n : memref<4xi8>
    }
    memref.copy %r, %y : memref<4xi8> to memref<4xi8>
    return
  }
}
