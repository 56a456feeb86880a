// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-luna))' | FileCheck %s

// Clamps behind clamps: the bounds of the later one, moved into those of the
// earlier one.
// CHECK-LABEL: func.func @inside
// CHECK: luna.add {{.*}}clamp_min = 10, clamp_max = 20
// CHECK-NOT: tosa.clamp
func.func @inside(%x: tensor<8xi8>, %o: tensor<8xi8>) -> tensor<8xi8> {
  %a = luna.add ins(%x, %x : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0>} -> tensor<8xi8>
  %b = tosa.clamp %a {min_val = 0 : i8, max_val = 20 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  %c = tosa.clamp %b {min_val = 10 : i8, max_val = 127 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  return %c : tensor<8xi8>
}

// Ranges that do not meet leave one number: the near bound of the later clamp.
// CHECK-LABEL: func.func @apart
// CHECK: luna.add {{.*}}clamp_min = 50, clamp_max = 50
// CHECK: luna.sub {{.*}}clamp_min = -60, clamp_max = -60
// CHECK-NOT: tosa.clamp
func.func @apart(%x: tensor<8xi8>, %o: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>) {
  %a = luna.add ins(%x, %x : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0, clamp_min = -5, clamp_max = 5>} -> tensor<8xi8>
  %b = tosa.clamp %a {min_val = 50 : i8, max_val = 60 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  %s = luna.sub ins(%x, %x : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0, clamp_min = -5, clamp_max = 5>} -> tensor<8xi8>
  %t = tosa.clamp %s {min_val = -128 : i8, max_val = -60 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  return %b, %t : tensor<8xi8>, tensor<8xi8>
}

// One that changes nothing goes as well.
// CHECK-LABEL: func.func @whole
// CHECK: luna.add {{.*}}{requant = #luna.requant<mode = shift>}
// CHECK-NOT: tosa.clamp
func.func @whole(%x: tensor<8xi8>, %o: tensor<8xi8>) -> tensor<8xi8> {
  %a = luna.add ins(%x, %x : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {requant = #luna.requant<mode = shift, shift = 0>} -> tensor<8xi8>
  %b = tosa.clamp %a {min_val = -128 : i8, max_val = 127 : i8} : (tensor<8xi8>) -> tensor<8xi8>
  return %b : tensor<8xi8>
}
