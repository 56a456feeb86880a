// A loop whose number of turns (0, 1, …) is an input.
// Written by examples/generate.py; do not edit.
func.func @main(%x: tensor<1x8x8x8xi8>, %turns: tensor<i32>) -> tensor<1x8x8x8xi8> {
  %c0_i8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %chalf_i32 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c37_i8 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c0_i32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c38_i8 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c36_i8 = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a_w = "tosa.const"() <{values = dense<"0x2AE7ACFDF7050BE91FF40C08B4D20D140C3D0A35442902470D200D01212D08F9510BCEB7D20A17DBAC0DFA2BB40DD5120B1ABA37080C25DD3E20C9422717E829"> : tensor<8x1x1x8xi8>}> : () -> tensor<8x1x1x8xi8>
  %a_b = "tosa.const"() <{values = dense<"0xC3FCFFFF42020000EBF9FFFF05FFFFFF06040000E20000003D03000031FBFFFF"> : tensor<8xi32>}> : () -> tensor<8xi32>
  %a_acc = tosa.conv2d %x, %a_w, %a_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x1x1x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32> loc("a"("while_loop.mlir":12:1))
  %a = tosa.rescale %a_acc, %chalf_i32, %c37_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8> loc("a"("while_loop.mlir":13:1))
  %a_relu = tosa.clamp %a {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> loc("a"("while_loop.mlir":14:1))
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = tosa.while_loop (%n = %turns, %c = %a_relu) : (tensor<i32>, tensor<1x8x8x8xi8>) -> (tensor<i32>, tensor<1x8x8x8xi8>) {
    %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %go = tosa.greater %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("go"("while_loop.mlir":18:1))
    tosa.yield %go : tensor<i1>
  } do {
  ^bb0(%n: tensor<i32>, %c: tensor<1x8x8x8xi8>):
    %body_w = "tosa.const"() <{values = dense<"0x49021DC81F51078DD9E251E8E8F2F92B2429FB01E3EEFCEDF0F10F290649F0FD0A290BD4FD04213E10FB1903F3D3D4653C00CBB2D6F90AF3FE25EDE0322405E52112D0FADA02DA01C4152128CB151602291CE82454F8DE0116D813DDE75DFAE6CBDA3FD1FEEC0CC31EE507B739E6B9DA30D6263FFDAF3DFA54FBE3312714DD440A2014E6151AF23F4ED4182110C3E7E0FFEDFED70F1BB9250A0D063801F8DF0FBCBE0C1C1ED451EFE2080A00CFE52D14EA05EE30F9E619F91CE6ECF447113808DDFFFA731B10DD172337F529EBCE1DEF4E46E7FD0DDFF31B2A39FFE7FB01FF1DC43DEEDFF644D71FC9F4D3F8333CEFD0290AD41AE5D30120F30CF117F5E4DAC242FB170EEBFAF6182FEE1E09D61BEA1D423521B92C0D65C8D1CA25D9F5F824460C1F1B20A8BEE103F4C2CC0A16CD9B1CA305FE05D9F11020CE73BCB74415C91A23F112D7041F273736EF003412E40822EE1713E036050DEB19CD05D3E7EAED0D1EE828E7090FD8F1DF0128D238041147ED15D900E6F616ACA8EE16051820E4F6100AD6EB14F30D730CDAF5F835F9D5B4E9DA8D21D809B409C6E3F2FAF0B90F0EC9EADDE3DC73F0DAF90ACDA3031ADF49EEFC1301F63729D125E2BFD43AAFF10B1EF524E1CE031FFDE9031E01CCAC183708E715DF1E1DCEAC8D1B16ACE7C108411CDDF11AE2D6FBEAF704F612F9200B1B2724DD16BAF34C58FED50CC7E73EFAE8F529F3D9D90F0BF3ED65C4510B0C0BE7F50131BAF5F41FD58D141D0ADD37D5DAFD2709DCF30046E5B2D0E1271433E9F6A8C9E4CE280F1FD6372B063F1B3ED9DD"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
    %body_b = "tosa.const"() <{values = dense<"0x9CFEFFFFDFF8FFFF85080000B2040000850400002103000091FDFFFF16020000"> : tensor<8xi32>}> : () -> tensor<8xi32>
    %body_acc = tosa.conv2d %c, %body_w, %body_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32> loc("body"("while_loop.mlir":24:1))
    %body = tosa.rescale %body_acc, %chalf_i32, %c38_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8> loc("body"("while_loop.mlir":25:1))
    %body_relu = tosa.clamp %body {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> loc("body"("while_loop.mlir":26:1))
    %left = tosa.sub %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("left"("while_loop.mlir":27:1))
    tosa.yield %left, %body_relu : tensor<i32>, tensor<1x8x8x8xi8>
  }
  %last_w = "tosa.const"() <{values = dense<"0xBA0D011D3E01CDE62CE6E90531D9F82F10FED6FD2641CE11F7DFEC3101C7B2E6FF362F03292829E4FFEED5113242FB27FC18ED29114E0AF02DD3A85D2ED29BED"> : tensor<8x1x1x8xi8>}> : () -> tensor<8x1x1x8xi8>
  %last_b = "tosa.const"() <{values = dense<"0xDF000000CCFDFFFFAFFDFFFF3F030000A70300006704000098FFFFFFC5FFFFFF"> : tensor<8xi32>}> : () -> tensor<8xi32>
  %last_acc = tosa.conv2d %r#1, %last_w, %last_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x1x1x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32> loc("last"("while_loop.mlir":32:1))
  %last = tosa.rescale %last_acc, %chalf_i32, %c36_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8> loc("last"("while_loop.mlir":33:1))
  %last_relu = tosa.clamp %last {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> loc("last"("while_loop.mlir":34:1))
  return %last_relu : tensor<1x8x8x8xi8>
}
