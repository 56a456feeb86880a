// Activations whose strides are those of [channel][y][x]: operators of every
// class read and write them, in place of rows of channels or together with
// them. The same program with row-major ones gives the same outputs, on this
// computer and through the checker.
// RUN: sed -e 's/, strided<[^,]*, 9, 1, 63\]>//' -e 's/, strided<[^,]*, 18, 1, 252\]>//' -e 's/18, 1, 252\], offset: 59/108, 6, 1], offset: 354/g' %s > %t.rows.mlir
// RUN: lunac run %t.rows.mlir --random-input=3 --cases=2 --output=%t.rows | FileCheck %s
// RUN: lunac run %s --random-input=3 --cases=2 --output=%t.planes | FileCheck %s
// RUN: diff -r %t.rows %t.planes
// CHECK: straight 0
// CHECK: 0 hazards

!x = memref<1x7x9x6xi8>
!p = memref<1x7x9x6xi8, strided<[378, 9, 1, 63]>>
!q = memref<1x14x18x6xi8, strided<[1512, 18, 1, 252]>>
!y = memref<1x14x18x6xi8>

memref.global "private" constant @w : memref<6x3x3x6xi8> = dense<[[[[3, -5, 7, 11, -2, 1], [1, 2, -3, 4, 5, -6], [0, -1, 9, -8, 2, 3]], [[5, 5, -7, 1, 2, -1], [-4, 3, 2, 1, 0, 6], [7, -7, 1, 1, -2, 2]], [[2, 0, -3, 4, 1, 1], [9, 8, -7, 6, -5, 4], [1, -1, 2, -2, 3, -3]]], [[[1, 1, 7, 1, -2, 1], [1, -2, -3, 4, 5, 6], [0, -1, 2, -8, 2, 3]], [[5, 5, 7, 1, 2, 1], [4, 3, 2, 1, 0, 6], [7, 7, 1, 1, 2, 2]], [[2, 0, 3, 4, 1, 1], [9, 8, 7, -6, -5, 4], [1, 1, -2, 2, -3, 3]]], [[[3, -5, 7, 1, -2, 1], [1, 2, -3, 1, 5, -6], [0, -1, 9, -1, 2, 3]], [[5, 5, -7, 1, 1, -1], [-4, 3, 2, 1, 1, 6], [7, -7, 1, 1, -1, 2]], [[2, 0, -3, 4, 1, 1], [1, 8, -7, 6, -5, 4], [1, 1, 2, -2, 3, -3]]], [[[3, -5, 7, 1, 2, 3], [1, 2, 3, 4, 5, 6], [0, 1, 9, 8, 2, 3]], [[5, 5, 7, 1, 2, 1], [4, 3, 2, 1, 0, 6], [7, 7, 1, 1, 2, 2]], [[2, 0, 3, 4, 1, 1], [9, 8, 7, 6, 5, 4], [1, 1, 2, 2, 3, 3]]], [[[-3, 5, -7, -1, -2, -3], [1, 2, 3, 4, -5, -6], [0, 1, -9, -8, -2, -3]], [[5, -5, -7, 1, 2, 1], [4, -3, -2, -1, 0, -6], [7, -7, 1, -1, 2, -2]], [[2, 0, 3, -4, 1, -1], [9, -8, 7, -6, 5, -4], [1, -1, 2, -2, 3, -3]]], [[[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]], [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 9, 0], [0, 0, 0, 0, 0, 1]], [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]]]>
memref.global "private" constant @d : memref<3x3x6x1xi8> = dense<[[[[1], [2], [3], [-4], [5], [-6]], [[7], [-8], [9], [1], [2], [3]], [[1], [2], [3], [4], [5], [6]]], [[[-1], [2], [3], [-4], [5], [6]], [[17], [18], [-9], [11], [12], [13]], [[1], [-2], [3], [4], [5], [6]]], [[[1], [2], [-3], [-4], [5], [-6]], [[7], [-8], [-9], [1], [-2], [3]], [[-1], [2], [3], [-4], [5], [6]]]]>
memref.global "private" constant @b : memref<6xi32> = dense<[100, -200, 300, 0, 77, -1000]>
memref.global "private" constant @t : memref<2x6xi32> = dense<[[1518500250, 1073741824, 1999999999, 1200000000, 1800000001, 1400000000], [38, 37, 39, 38, 36, 38]]>
memref.global "private" constant @u : memref<256xi8> = dense<"0x4420823CFDE6F1C26B30F90EC7DD01E4887534A20F0B0D04C36ED80E71E0FD77B07670EB940BD5335F973DAAD8619B91FFC911F57CCED458BBBF2CE03753C9BDFA0FF0169DC9575674066676CFB0B4EB8902C44269DA1CF6BA66D3F8B6D4B100A9EA0E755A5C2E8210242A08E7078F7F89385EB09423555182568B96E8A4FEF23A0C9FC5AFD7608437816BDD0A7309CB4A1252E4DA70E6720FCAA4DA1E98406C189C24279E9851D5814204136FEB5713C166B13269DD63FC35C797FF08A6CD90095066A745ADDB6D8831C2B0F87821142B4456556D89AA82BCADAE3A9578FA4535A414D025C24B40AE3AC127722988BA973AEA8D37179706072ED33A14607AD7">

func.func @main(%in: !x, %out: !y {bufferize.result}) {
  %w = memref.get_global @w : memref<6x3x3x6xi8>
  %d = memref.get_global @d : memref<3x3x6x1xi8>
  %b = memref.get_global @b : memref<6xi32>
  %t = memref.get_global @t : memref<2x6xi32>
  %u = memref.get_global @u : memref<256xi8>
  %c7 = arith.constant 7 : i8
  %x = memref.alloc() : !x
  memref.copy %in, %x : !x to !x
  %conv = memref.alloc() : !p
  luna.conv2d ins(%x, %w : !x, memref<6x3x3x6xi8>) bias(%b : memref<6xi32>) table(%t : memref<2x6xi32>) outs(%conv : !p) {
    pad = array<i64: 1, 1, 1, 1>, input_zp = 3 : i32,
    requant = #luna.requant<mode = multiplier, rounding = double, per_channel = true, zero_point = -4>}
  %shift = memref.alloc() : !p
  luna.conv2d ins(%conv, %w : !p, memref<6x3x3x6xi8>) outs(%shift : !p) {
    pad = array<i64: 1, 1, 1, 1>, requant = #luna.requant<mode = shift, shift = 7>}
  %deep = memref.alloc() : !p
  luna.conv2d ins(%conv, %d : !p, memref<3x3x6x1xi8>) bias(%b : memref<6xi32>) outs(%deep : !p) {
    kind = 1 : i32, pad = array<i64: 1, 1, 1, 1>, input_zp = -4 : i32,
    requant = #luna.requant<mode = multiplier, rounding = double, multiplier = 1518500250, shift = 38, zero_point = 5>}
  %sum = memref.alloc() : !p
  luna.add ins(%shift, %deep : !p, !p) outs(%sum : !p) {
    lhs_multiplier = 1200000000 : i32, lhs_shift = 20 : i32, rhs_multiplier = 1500000000 : i32, rhs_shift = 21 : i32,
    requant = #luna.requant<mode = multiplier, rounding = double, multiplier = 1600000000, shift = 43>}
  %mixed = memref.alloc() : !p
  luna.sub ins(%sum, %x : !p, !x) outs(%mixed : !p) {requant = #luna.requant<mode = shift, shift = 1>}
  %look = memref.alloc() : !p
  luna.table ins(%mixed, %u : !p, memref<256xi8>) outs(%look : !p)
  %most = memref.alloc() : !p
  luna.max_pool2d ins(%look : !p) outs(%most : !p) {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}
  %mean = memref.alloc() : !p
  luna.avg_pool2d ins(%most : !p) outs(%mean : !p) {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}
  %twice = memref.alloc() : !q
  linalg.fill ins(%c7 : i8) outs(%twice : !q)
  %corner = memref.subview %twice[0, 3, 5, 0] [1, 7, 9, 6] [1, 1, 1, 1] : !q to memref<1x7x9x6xi8, strided<[1512, 18, 1, 252], offset: 59>>
  memref.copy %mean, %corner : !p to memref<1x7x9x6xi8, strided<[1512, 18, 1, 252], offset: 59>>
  %rows = memref.alloc() : !y
  memref.copy %twice, %rows : !q to !y
  memref.copy %rows, %out : !y to !y
  return
}
