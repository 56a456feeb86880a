#p = #luna.memory<psram>
#s = #luna.memory<shared>
func.func @main(%a: memref<1x8x8x8xi8, #p>, %b: memref<16x3x3x8xi8, #p>, %c: memref<1x6x6x16xi8, #p>) attributes {luna.arena_bytes = 4608} {
  %x = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor>} : memref<1x8x8x8xi8, #s>
  %w = memref.alloc() {luna.place = #luna.place<id = 1, offset = 512, kind = tensor>} : memref<16x3x3x8xi8, #s>
  %y = memref.alloc() {luna.place = #luna.place<id = 2, offset = 1664, kind = tensor>} : memref<1x6x6x16xi8, #s>
  %t = memref.alloc() {luna.place = #luna.place<id = 3, offset = 2304, kind = scratch>} : memref<<BYTES>xi8, #s>
  memref.copy %a, %x : memref<1x8x8x8xi8, #p> to memref<1x8x8x8xi8, #s>
  memref.copy %b, %w : memref<16x3x3x8xi8, #p> to memref<16x3x3x8xi8, #s>
  luna.conv2d ins(%x, %w : memref<1x8x8x8xi8, #s>, memref<16x3x3x8xi8, #s>)
      scratch(%t : memref<<BYTES>xi8, #s>)
      outs(%y : memref<1x6x6x16xi8, #s>)
      {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>, tiling = array<i32: <TILING>>}
  memref.copy %y, %c : memref<1x6x6x16xi8, #s> to memref<1x6x6x16xi8, #p>
  return
}
