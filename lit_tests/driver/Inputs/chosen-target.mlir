// A transfer into, and an operator on, the buffer of two that a branch has left free.
#s = #luna.memory<shared>
#p = #luna.memory<psram>
func.func @main(%in: memref<8x64xi8, #p>, %other: memref<8x64xi8, #p>, %f: memref<i1, #p>, %g: memref<i1, #p>, %out: memref<8x64xi8, #p> {bufferize.result}) {
  %x = memref.alloc() {luna.kind = "input"} : memref<8x64xi8, #s>
  memref.copy %in, %x : memref<8x64xi8, #p> to memref<8x64xi8, #s>
  %q = memref.alloc() : memref<8x64xi8, #s>
  %b0 = memref.load %f[] : memref<i1, #p>
  %r:2 = scf.if %b0 -> (memref<8x64xi8, #s>, memref<8x64xi8, #s>) {
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 63 - j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x64xi8, #s>) outs(%q : memref<8x64xi8, #s>) {
    ^bb0(%a: i8, %b: i8):
      linalg.yield %a : i8
    }
    scf.yield %q, %x : memref<8x64xi8, #s>, memref<8x64xi8, #s>
  } else {
    scf.yield %x, %q : memref<8x64xi8, #s>, memref<8x64xi8, #s>
  }
  %b1 = memref.load %g[] : memref<i1, #p>
  %t:2 = scf.if %b1 -> (memref<8x64xi8, #s>, memref<8x64xi8, #s>) {
    memref.copy %other, %r#1 : memref<8x64xi8, #p> to memref<8x64xi8, #s>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 63 - j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%r#0 : memref<8x64xi8, #s>) outs(%r#1 : memref<8x64xi8, #s>) {
    ^bb0(%a: i8, %b: i8):
      %c = arith.addi %a, %b : i8
      linalg.yield %c : i8
    }
    scf.yield %r#1, %r#0 : memref<8x64xi8, #s>, memref<8x64xi8, #s>
  } else {
    scf.yield %r#0, %r#1 : memref<8x64xi8, #s>, memref<8x64xi8, #s>
  }
  memref.copy %t#0, %out : memref<8x64xi8, #s> to memref<8x64xi8, #p>
  return
}
