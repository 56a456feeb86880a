// A switch whose ways have names.
func.func @main(%n: tensor<i32>, %x: tensor<4xi8>) -> tensor<4xi8> {
  %v = tensor.extract %n[] : tensor<i32>
  %i = arith.index_cast %v : i32 to index
  %one = "tosa.const"() <{values = dense<1> : tensor<4xi8>}> : () -> tensor<4xi8>
  %r = scf.index_switch %i -> tensor<4xi8>
  case 7 {
    luna.label "shape" = "96x128"
    %a = tosa.maximum %x, %one : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
    scf.yield %a : tensor<4xi8>
  }
  case 3 {
    luna.label "shape" = "64x64"
    scf.yield %x : tensor<4xi8>
  }
  default {
    luna.label "shape" = "32x32"
    %b = tosa.minimum %x, %one : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
    scf.yield %b : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
