func.func @main(%x: tensor<16xi8>, %n: tensor<i32>) -> tensor<16xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %lim = "tosa.const"() <{values = dense<6> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %zero, %a = %x) : (tensor<i32>, tensor<16xi8>) -> (tensor<i32>, tensor<16xi8>) {
    %c = tosa.greater %lim, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<16xi8>):
    %j = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c = tosa.greater %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %b = tosa.cond_if %c : tensor<i1> -> tensor<16xi8> {
      %t = tosa.clamp %a {min_val = -50 : i8, max_val = 50 : i8} : (tensor<16xi8>) -> tensor<16xi8>
      tosa.yield %t : tensor<16xi8>
    } else {
      %t = tosa.add %a, %x : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi8>
      tosa.yield %t : tensor<16xi8>
    }
    tosa.yield %j, %b : tensor<i32>, tensor<16xi8>
  }
  return %r#1 : tensor<16xi8>
}
