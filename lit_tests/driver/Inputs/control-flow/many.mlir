func.func @main(%x: tensor<64xi8>, %f0: tensor<1xi1>, %f1: tensor<1xi1>, %f2: tensor<1xi1>, %f3: tensor<1xi1>, %f4: tensor<1xi1>, %f5: tensor<1xi1>, %f6: tensor<1xi1>) -> tensor<64xi8> {
  %s = tosa.const_shape {values = dense<[]> : tensor<0xindex>} : () -> !tosa.shape<0>
  %c0 = tosa.reshape %f0, %s : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r0 = tosa.cond_if %c0 : tensor<i1> -> tensor<64xi8> {
    %t0 = tosa.clamp %x {min_val = -100 : i8, max_val = 100 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %t0 : tensor<64xi8>
  } else {
    %n0 = tosa.abs %x : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %n0 : tensor<64xi8>
  }
  %c1 = tosa.reshape %f1, %s : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r1 = tosa.cond_if %c1 : tensor<i1> -> tensor<64xi8> {
    %t1 = tosa.clamp %r0 {min_val = -99 : i8, max_val = 99 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %t1 : tensor<64xi8>
  } else {
    %n1 = tosa.abs %r0 : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %n1 : tensor<64xi8>
  }
  %c2 = tosa.reshape %f2, %s : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r2 = tosa.cond_if %c2 : tensor<i1> -> tensor<64xi8> {
    %t2 = tosa.clamp %r1 {min_val = -98 : i8, max_val = 98 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %t2 : tensor<64xi8>
  } else {
    %n2 = tosa.abs %r1 : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %n2 : tensor<64xi8>
  }
  %c3 = tosa.reshape %f3, %s : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r3 = tosa.cond_if %c3 : tensor<i1> -> tensor<64xi8> {
    %t3 = tosa.clamp %r2 {min_val = -97 : i8, max_val = 97 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %t3 : tensor<64xi8>
  } else {
    %n3 = tosa.abs %r2 : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %n3 : tensor<64xi8>
  }
  %c4 = tosa.reshape %f4, %s : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r4 = tosa.cond_if %c4 : tensor<i1> -> tensor<64xi8> {
    %t4 = tosa.clamp %r3 {min_val = -96 : i8, max_val = 96 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %t4 : tensor<64xi8>
  } else {
    %n4 = tosa.abs %r3 : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %n4 : tensor<64xi8>
  }
  %c5 = tosa.reshape %f5, %s : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r5 = tosa.cond_if %c5 : tensor<i1> -> tensor<64xi8> {
    %t5 = tosa.clamp %r4 {min_val = -95 : i8, max_val = 95 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %t5 : tensor<64xi8>
  } else {
    %n5 = tosa.abs %r4 : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %n5 : tensor<64xi8>
  }
  %c6 = tosa.reshape %f6, %s : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r6 = tosa.cond_if %c6 : tensor<i1> -> tensor<64xi8> {
    %t6 = tosa.clamp %r5 {min_val = -94 : i8, max_val = 94 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %t6 : tensor<64xi8>
  } else {
    %n6 = tosa.abs %r5 : (tensor<64xi8>) -> tensor<64xi8>
    tosa.yield %n6 : tensor<64xi8>
  }
  return %r6 : tensor<64xi8>
}
