// Seven branches in a row, the slow side then and else by turns: more paths than are
// listed, and the slowest is neither all then nor all else.
func.func @main(%x: tensor<1x640xi8>, %f0: tensor<i1>, %f1: tensor<i1>, %f2: tensor<i1>, %f3: tensor<i1>, %f4: tensor<i1>, %f5: tensor<i1>, %f6: tensor<i1>) -> tensor<1x640xi8> {
  %b0 = tensor.extract %f0[] : tensor<i1>
  %r0 = scf.if %b0 -> (tensor<1x640xi8>) {
    %c0 = tosa.reverse %x {axis = 1 : i32} : (tensor<1x640xi8>) -> tensor<1x640xi8>
    scf.yield %c0 : tensor<1x640xi8>
  } else {
    scf.yield %x : tensor<1x640xi8>
  }
  %b1 = tensor.extract %f1[] : tensor<i1>
  %r1 = scf.if %b1 -> (tensor<1x640xi8>) {
    scf.yield %r0 : tensor<1x640xi8>
  } else {
    %c1 = tosa.reverse %r0 {axis = 1 : i32} : (tensor<1x640xi8>) -> tensor<1x640xi8>
    scf.yield %c1 : tensor<1x640xi8>
  }
  %b2 = tensor.extract %f2[] : tensor<i1>
  %r2 = scf.if %b2 -> (tensor<1x640xi8>) {
    %c2 = tosa.reverse %r1 {axis = 1 : i32} : (tensor<1x640xi8>) -> tensor<1x640xi8>
    scf.yield %c2 : tensor<1x640xi8>
  } else {
    scf.yield %r1 : tensor<1x640xi8>
  }
  %b3 = tensor.extract %f3[] : tensor<i1>
  %r3 = scf.if %b3 -> (tensor<1x640xi8>) {
    scf.yield %r2 : tensor<1x640xi8>
  } else {
    %c3 = tosa.reverse %r2 {axis = 1 : i32} : (tensor<1x640xi8>) -> tensor<1x640xi8>
    scf.yield %c3 : tensor<1x640xi8>
  }
  %b4 = tensor.extract %f4[] : tensor<i1>
  %r4 = scf.if %b4 -> (tensor<1x640xi8>) {
    %c4 = tosa.reverse %r3 {axis = 1 : i32} : (tensor<1x640xi8>) -> tensor<1x640xi8>
    scf.yield %c4 : tensor<1x640xi8>
  } else {
    scf.yield %r3 : tensor<1x640xi8>
  }
  %b5 = tensor.extract %f5[] : tensor<i1>
  %r5 = scf.if %b5 -> (tensor<1x640xi8>) {
    scf.yield %r4 : tensor<1x640xi8>
  } else {
    %c5 = tosa.reverse %r4 {axis = 1 : i32} : (tensor<1x640xi8>) -> tensor<1x640xi8>
    scf.yield %c5 : tensor<1x640xi8>
  }
  %b6 = tensor.extract %f6[] : tensor<i1>
  %r6 = scf.if %b6 -> (tensor<1x640xi8>) {
    %c6 = tosa.reverse %r5 {axis = 1 : i32} : (tensor<1x640xi8>) -> tensor<1x640xi8>
    scf.yield %c6 : tensor<1x640xi8>
  } else {
    scf.yield %r5 : tensor<1x640xi8>
  }
  return %r6 : tensor<1x640xi8>
}
