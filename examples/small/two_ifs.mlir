// Two `if`s in a row; the result of the first is used after the second.
// Written by examples/generate.py; do not edit.
func.func @main(%x: tensor<1x8x8x8xi8>, %first: tensor<i1>, %second: tensor<i1>) -> tensor<1x8x8x8xi8> {
  %c0_i8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %chalf_i32 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c39_i8 = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c0_i32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c37_i8 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c38_i8 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c30_i8 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c31_i8 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %one = tosa.cond_if %first : tensor<i1> -> tensor<1x8x8x8xi8> {
    %one_then_a_w = "tosa.const"() <{values = dense<"0x37080BCEF3200708EEFDEFC10FDA37F404D316F51930EA29E358E0FA2505E1E702EEE2B43F28422E2EDDE01CBA28000801E411B9FDC6CBF95808EA1108FA1CF51BCDEA20D83DD7E50C04F608FC491BC4F31A0DE5EFEC9BD20CBA04730608D0D127472911EE03E3DF081015E23CE7DCD2F8FBB91C2F16D4EEF8BA01CAF0EEEAECFCF9FBDDD2E11A32FAF4E6E50173F9CE1FE23612440E1CFA3219D154C11D330865CBE00FF7EAD92BFE14EB1AFD18D90006E02AFE14D302D2FB02FAF1E33A001E3F17FBFFE101DE1FF612F9EFFBF80CAFE3E5DF3726E1E5191400021206F23F1DD0042E02F6DAF84CDFA312040DFFC629E11B021CF10F581C3E412BFADA0D18070BCD23C9CFE5F1F43FDB00EE0051F8F6C1080EE6C70CD8EC23202EB713D72720FB290647271241E6D1F9E9E212F5F80903242BEAF101C8FB0A02121224F6CCF8FA9B15D7FA65F6CAFCE914F8D213F341152F5DE63DD9EE58BAD8F34408E7C3F1F2290EC1FD1331260B0C002F234C18EEEDD70D1110EE19C110FF08E3FB03D4E0101630EF21CDCE17E4FE18DF4ECF0DF1FCED00FBDD0F0AD1192A4CF5E20AC4BCE2F0E6072E34D1E60D261658DEDAD7E2C8E8D905D9362B2F1B0DE800E7EAFAF638DCB4FC0F2E9B04DFF8EAEC080A46FBE8182727CBC9EE19F105DDAF1DB7E0D9CFF2E8FC01F33408DFFC23160DFA1ABFACFB09F6F32E23EB1EB212C2CD320BC7D82BD103FA38BAE9C626F9F3E0152DED0A221302CF413FF165FA49CEE0D51E06DCFBEDDFE7F4FA1844E32705DA2FE4FACAF61B13090FFBC4E620D92D17E0F136"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
    %one_then_a_b = "tosa.const"() <{values = dense<"0xD0EFFFFF3D0300005B0200000BE9FFFF29E8FFFFB2F0FFFF3E080000A80C0000"> : tensor<8xi32>}> : () -> tensor<8xi32>
    %one_then_a_acc = tosa.conv2d %x, %one_then_a_w, %one_then_a_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
    %one_then_a = tosa.rescale %one_then_a_acc, %chalf_i32, %c39_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
    %one_then_a_relu = tosa.clamp %one_then_a {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
    tosa.yield %one_then_a_relu : tensor<1x8x8x8xi8>
  } else {
    %one_else_b_w = "tosa.const"() <{values = dense<"0xF5E1F4CBE5F11D020FC40B58FB00DF2913320DF814FB44CE2D1C2FCA091F1C4C0A083DEB44DCF80435E3E4E0FBF1C3BC20E7E8E3DDCB3D302AF620D3D7E828FA"> : tensor<8x1x1x8xi8>}> : () -> tensor<8x1x1x8xi8>
    %one_else_b_b = "tosa.const"() <{values = dense<"0x91FCFFFF8803000024030000B604000041FDFFFF2CFCFFFFEBF9FFFF14010000"> : tensor<8xi32>}> : () -> tensor<8xi32>
    %one_else_b_acc = tosa.conv2d %x, %one_else_b_w, %one_else_b_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x1x1x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
    %one_else_b = tosa.rescale %one_else_b_acc, %chalf_i32, %c37_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
    %one_else_b_relu = tosa.clamp %one_else_b {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
    tosa.yield %one_else_b_relu : tensor<1x8x8x8xi8>
  }
  %two = tosa.cond_if %second : tensor<i1> -> tensor<1x8x8x8xi8> {
    %two_then_c_w = "tosa.const"() <{values = dense<"0x11CB004CFAF737E60DD8ECE0EBB41AF65129FA0D37CCF7EA31F13C29FDDCE2ECF8D0E5CDB4EE731F18EE0FEAFB36D5C4193CED191B135427D8D33406F03D3D16E4D4E50737EC2012DB110700D6F4100727E1CBE354F742323DE620FAD32F0F0E3FDA0F0F178D05CEC215D5F5EA14CE03FDF873F412FE1C13FE3CDF58E715D7E10139DBEB4131E6EFF5D5E2DFEAE91EE4CB001C150112E432C907F12428D3B23013D309104C05E9F9BA12FBC1F9FC0432F821FBEFDD1EFB5DFF5D2CECA814BCE04EF9E11EF3E5D21FCBE5BF100BF3BC16F1F4F8081765F803323CEB0AE42D0EF71C3CFBF5F1E1540FB22EEAED26B71AF410D510200AD4FAF3D53EE6FDDD27061CEAD60FD9D608F81ADD4CEEE2B40616F0F20EFAD8E858E8051413CBEFE11AF9EB1406E9543127EBEB2612F247F42038B41708E20BA3FA06D64223CEF0F3EEE5E0CFF8D01D4911F1DDEAF1261123AF0F0B01D710E3FDD5F1E6E5DDEE06161DCAFDFB0C25F62EFDFD3AF1322615ED15EFE8E1ED0BE873DD0F58FE1C32E73F0DEFFDEAFD38BC3FF0FB170524E5CDE4B424E8DD16142E2D1E12F6FDBF0C51CC124612F33149F1FE1105E3E3DFF008F0ECD9E0EAFA582F0818F13AFB1A2EFC05CFF47302B40EE2391C24B2F7DF3527E60C08C4F8251BC9C323F53C1841D5BC12F7C8E003FA1435131E0AE94CE74CFE21C1D2161DD40331CB544113DB1EC616F3E29B24D30D51E9222339F9E2E8413FEEF9290626F92C08EB16CA18B902B72F0B2FFA3209B2B7C10FEE1AC7C7BE06FAD054241EEFEFDED52621DB0B05E9C218E3D6F1FF"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
    %two_then_c_b = "tosa.const"() <{values = dense<"0xC8060000380100007A03000038FDFFFF66F1FFFFD4FBFFFFD20B0000150E0000"> : tensor<8xi32>}> : () -> tensor<8xi32>
    %two_then_c_acc = tosa.conv2d %one, %two_then_c_w, %two_then_c_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
    %two_then_c = tosa.rescale %two_then_c_acc, %chalf_i32, %c38_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
    %two_then_c_relu = tosa.clamp %two_then_c {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
    tosa.yield %two_then_c_relu : tensor<1x8x8x8xi8>
  } else {
    %two_else_d_w = "tosa.const"() <{values = dense<"0x0E0E0CFAE4C4EEF3CB32E0F3FAC2063DC8F81321CD09DD0FE729070BF11326EEF1CE100BE0441611FF211924D79B2C03F6BF5408110EF5FE1E112E323006F6DD0E1A00143AE703D3"> : tensor<3x3x8x1xi8>}> : () -> tensor<3x3x8x1xi8>
    %two_else_d_b = "tosa.const"() <{values = dense<"0x35000000C50100004BFDFFFF9DF8FFFF26FCFFFFCBFFFFFF17F8FFFF1B000000"> : tensor<8xi32>}> : () -> tensor<8xi32>
    %two_else_d_acc = tosa.depthwise_conv2d %x, %two_else_d_w, %two_else_d_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<3x3x8x1xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
    %two_else_d = tosa.rescale %two_else_d_acc, %chalf_i32, %c37_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
    %two_else_d_relu = tosa.clamp %two_else_d {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
    tosa.yield %two_else_d_relu : tensor<1x8x8x8xi8>
  }
  %sum_lhs = tosa.rescale %one, %chalf_i32, %c30_i8, %c0_i8, %c0_i32 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x8x8xi32>
  %sum_rhs = tosa.rescale %two, %chalf_i32, %c30_i8, %c0_i8, %c0_i32 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x8x8xi32>
  %sum_sum = tosa.add %sum_lhs, %sum_rhs : (tensor<1x8x8x8xi32>, tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
  %sum = tosa.rescale %sum_sum, %chalf_i32, %c31_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
  return %sum : tensor<1x8x8x8xi8>
}
