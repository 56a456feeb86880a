func.func @main(%x: tensor<64xi8>, %k: tensor<1xi32>) -> tensor<64xi8> {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %k[%c0] : tensor<1xi32>
  %i = arith.index_cast %e : i32 to index
  %r = scf.index_switch %i -> tensor<64xi8>
  case 2 {
    %t = tosa.clamp %x {min_val = 0 : i8, max_val = 100 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    scf.yield %t : tensor<64xi8>
  }
  case 5 {
    %t = tosa.clamp %x {min_val = -7 : i8, max_val = 100 : i8} : (tensor<64xi8>) -> tensor<64xi8>
    scf.yield %t : tensor<64xi8>
  }
  default {
    %t = tosa.abs %x : (tensor<64xi8>) -> tensor<64xi8>
    scf.yield %t : tensor<64xi8>
  }
  return %r : tensor<64xi8>
}
