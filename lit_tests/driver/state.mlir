// A model with state: its cases are calls one after the other, each with the
// state that the one before left; the reference goes along.
// RUN: lunac run %s --random-input=5 --cases=4 --check --output=%t | FileCheck %s
// RUN: lunac run %s --random-input=5 --cases=4 --check --stats=%t.json > %t.txt
// RUN: FileCheck %s --check-prefix=STATS < %t.json
// RUN: lunac compile %s --emit=llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=LLVM < %t.ll

// CHECK: 0 hazards; 4 runs equal the upstream CPU path bit for bit
// STATS: "state_bytes": 32
// LLVM: @luna_model_state_state = constant [32 x i8] c"\03\03\03\03
// LLVM: define void @luna_model_state_init(ptr %[[PSRAM:.*]], ptr %[[STATE:.*]])
// LLVM-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr %[[STATE]], ptr @luna_model_state_state, i64 32
// LLVM: define void @luna_model_state_reset(ptr %[[S:.*]])
// LLVM-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr %[[S]], ptr @luna_model_state_state, i64 32

// Two delays in a row: y(t) = b(t) + a(t), a(t+1) = x(t), b(t+1) = a(t).
func.func @main(%x: tensor<16xi8>, %a: tensor<16xi8> {luna.state = "a", luna.initial = dense<3> : tensor<16xi8>}, %b: tensor<16xi8> {luna.state = "b"}) -> (tensor<16xi8> {luna.name = "sum"}, tensor<16xi8> {luna.state = "a"}, tensor<16xi8> {luna.state = "b"}) {
  %y = tosa.add %b, %a : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi8>
  return %y, %x, %a : tensor<16xi8>, tensor<16xi8>, tensor<16xi8>
}
