// What the C library has no function for, or not of this type.
#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xi32>, %f: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xi32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xi32>
  %h = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %out: i32):
    %two = arith.constant 2 : i32
    %p = math.absi %a : i32
    %q = math.ctpop %p : i32
    %r = math.cttz %a : i32
    %s = math.ctlz %a : i32
    %t = math.ipowi %a, %two : i32
    %u = arith.addi %q, %r : i32
    %v = arith.addi %u, %s : i32
    %w = arith.addi %v, %t : i32
    linalg.yield %w : i32
  } -> tensor<8xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%f, %g : tensor<8xf32>, tensor<8xf32>) outs(%h : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %three = arith.constant 3 : i32
    %p = math.copysign %a, %b : f32
    %q = math.fpowi %p, %three : f32, i32
    %r = math.isfinite %q : f32
    %s = arith.select %r, %q, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xi32>, tensor<8xf32>
}
