#p = #luna.memory<psram>
#s = #luna.memory<shared>
func.func @main(%a: memref<1x80x80x1xi8, #p>, %b: memref<2x1x1x1xi8, #p>, %d: memref<2x2xi32, #p>, %c: memref<1x80x80x2xi8, #p>) attributes {luna.arena_bytes = 172832} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<1x80x80x1xi8, #s>
  %w = memref.alloc() {luna.place = #luna.place<id = 1, offset = 6400, kind = tensor>} : memref<2x1x1x1xi8, #s>
  %n = memref.alloc() {luna.place = #luna.place<id = 2, offset = 6416, kind = tensor>} : memref<2x2xi32, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 3, offset = 6432, kind = tensor>} : memref<1x80x80x2xi8, strided<[12800, 80, 1, 6400]>, #s>
  %t = memref.alloc() {luna.place = #luna.place<id = 4, offset = 19232, kind = scratch>} : memref<153600xi8, #s>
  memref.copy %a, %x : memref<1x80x80x1xi8, #p> to memref<1x80x80x1xi8, #s>
  memref.copy %b, %w : memref<2x1x1x1xi8, #p> to memref<2x1x1x1xi8, #s>
  memref.copy %d, %n : memref<2x2xi32, #p> to memref<2x2xi32, #s>
  luna.conv2d ins(%x, %w : memref<1x80x80x1xi8, #s>, memref<2x1x1x1xi8, #s>)
      table(%n : memref<2x2xi32, #s>)
      scratch(%t : memref<153600xi8, #s>)
      outs(%y : memref<1x80x80x2xi8, strided<[12800, 80, 1, 6400]>, #s>)
      {requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true>, tiling = array<i32: <TILING>>}
  return
}
