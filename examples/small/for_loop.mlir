// A loop of three turns: the carried value goes through the same layer each time,
// and is added to a value from outside the loop.
// Written by examples/generate.py; do not edit.
func.func @main(%x: tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> {
  %c0_i8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %chalf_i32 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c39_i8 = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c0_i32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c38_i8 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c30_i8 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c36_i8 = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a_w = "tosa.const"() <{values = dense<"0x1C16F8C6D7653326C23E1CE018F934C112D4C6E90F1C01D7412B1BEF0734F20E15FBFB0F3F1FCED5F81C05C7F529FBFB1247BC0EF3D70739C8FB49170FA8A3F32C4212FF06D11227161E011211FDD258DA4E0FE20236E3EAD9FF3CF0E52918E222EED3DABA27E551F0E7FF2EF0062626EBF25DB20C18FA26E9FEE5FF07DB265110B2D233D7F5F10539D7322E3DFA21CA2C230CBEEFEAF8D938EAF0F506E7F8190354051CFEFD0AF91B46BACE4E1512D7F81108E000EF2DE5F913EACAF2171F18FA2F1CCDEB21EC06E81CEDFD65AC30E7F6B94E2A1DB2EC1810DDF13FEE09EF3418B9243CF0B938DB18E80158EE2A3D08B9F6B41611E9FDE9FD09461FEAF7031DD0DCE9FC5D28F3ED3DDAEF0F25FB1F232DE9EFE62E140CDAE710D32E41E99BE81918101EDCFB21F432FD063314D7E3F6D8B92A06D3BCD719D9BA130C24A31DF4249B25FEE6D4F81749DAEBDAE558FEF8EBB7DD02F8A8D924BC08CD10C210D2EC3EDF47D3170EE72B3CFD20A34CFF3246F1E9FC09E141011DFD0601CE2458421AC2C9E7EDFF0A03DED3C800F2B2C8393A39F0193DFA35CB261906F18DE39BF1F32E0CEADC290AF4052F150CC1FFDA16EAEAC938BCD4231736DC0FF415103622D914EAB7060E1D05F3E5235DFF061BEC3ADAEFF41E2915F2D20FE0F911EA2826F4EE1DDE298D0100D6F203E3E20A16EEC4D421E0BA5826E712C424FB19651E73E8A846DF10041DE61BD7F1D003F6EF16BF1630EB18320A8D08E7E0CBE7B433E6CFC420261B49AF25FD0E053201F00B1B1018011501F0331108FC5814320DE81FF3"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
  %a_b = "tosa.const"() <{values = dense<"0x9700000069FFFFFF87FEFFFF84EFFFFFE50F000087FEFFFF3CFEFFFF3F0D0000"> : tensor<8xi32>}> : () -> tensor<8xi32>
  %a_acc = tosa.conv2d %x, %a_w, %a_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
  %a = tosa.rescale %a_acc, %chalf_i32, %c39_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
  %a_relu = tosa.clamp %a {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
  %from = arith.constant 0 : index
  %to = arith.constant 3 : index
  %step = arith.constant 1 : index
  %r = scf.for %i = %from to %to step %step iter_args(%c = %a_relu) -> (tensor<1x8x8x8xi8>) {
    %body_w = "tosa.const"() <{values = dense<"0x37E8F0C305283C185126220A1151E9ED24E75401AC3F1F31FF5D460EE10CFEFC3D8D0DFEFF19E15DCDE7D0F839E29BDDF3CA022E0624083CD40424C7BE0106E1F5BC0A0D080404540231FFE746EAE108F01E290AD53051CB7303E90CD9D3ECF7CD352D0AAFF5BC0CF2514106F8E00416170510C7E3034CD9EE39A8E6EE4EA335B91D28EB08FCF105F112C2E018EADB2906041834D3F40A2EDC18A32034D032EB39B927C10109EC31CE0E2F0BEC37C2E80803A3D344D01CFCD5D2112ECECE440C0AF05DE0FB54D910130207291213F7A8DFF10EE105F60AF4F82CE4D5D6DE17F45115E50F39E32319E805CC00EDEBDEBF2FC820FFE4AF2EF91BF7F3DBD7FD1DCDF113E30FEA18F2031FF8063251E61EE7012041C31DF8F30B085D08F6D91C26FB33F5B70DDD3FDB033DE1D2F2D818F4F32829DAC2B9CF18E60FFFCE21050E16160BCE46FA320D17F626DE2BCD1F092030CAEADC1623E2F503EA3EA3012D210F203120F303F8FDEC0BBFEB14FEEED8F6F8183E39A3F3FBEBF2F91BE5D0FE31FB0AE7D5EEF64633E8D70ECE15001D0D410104F8F04409D8E7F65D301D2223EEC20D053A13FEEF063AEF2744F3F673EFAFEF36FDEB06CE25E10B2BF335EE510E1B1C0844D73A21410C0FFB4201F8F7F4D42AD6EED9D317A8EBFD08E1EEED5D2AEE0312F6A8132BF428CFBF14234701FFEF1C26E0CEBA1C2C1234EBE5E1FC0FD3FEF2DA2CA83E0A12E79BEB282EF61F070C0E54E8ED331C38E2F80D00CBD5EDFD092312DAF80F1347F9A331F71B02ED47D2253219D2F9FF120620FACFB2F8EE020327"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
    %body_b = "tosa.const"() <{values = dense<"0x64030000BEF6FFFFD4FEFFFF70FBFFFFBDFFFFFF210000000CF5FFFF9B080000"> : tensor<8xi32>}> : () -> tensor<8xi32>
    %body_acc = tosa.conv2d %c, %body_w, %body_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
    %body = tosa.rescale %body_acc, %chalf_i32, %c38_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
    %next_lhs = tosa.rescale %body, %chalf_i32, %c30_i8, %c0_i8, %c0_i32 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x8x8xi32>
    %next_rhs = tosa.rescale %a_relu, %chalf_i32, %c30_i8, %c0_i8, %c0_i32 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x8x8xi32>
    %next_sum = tosa.add %next_lhs, %next_rhs : (tensor<1x8x8x8xi32>, tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
    %next = tosa.rescale %next_sum, %chalf_i32, %c30_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
    %next_relu = tosa.clamp %next {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
    scf.yield %next_relu : tensor<1x8x8x8xi8>
  }
  %last_w = "tosa.const"() <{values = dense<"0xED9B09FB18F618D208B221F1BF131903CC29E4FB0111E1D6D5FC06EC01CACE29F81C0AF10D21E954D45D101A0F10D249D12FEB0AF8E8A80903BFB9E9EBD55811"> : tensor<8x1x1x8xi8>}> : () -> tensor<8x1x1x8xi8>
  %last_b = "tosa.const"() <{values = dense<"0x6FFEFFFF43FEFFFFD30100000B010000D4FCFFFFEAFDFFFF64010000BDFEFFFF"> : tensor<8xi32>}> : () -> tensor<8xi32>
  %last_acc = tosa.conv2d %r, %last_w, %last_b, %c0_i8, %c0_i8 {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x8xi8>, tensor<8x1x1x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
  %last = tosa.rescale %last_acc, %chalf_i32, %c36_i8, %c0_i32, %c0_i8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
  %last_relu = tosa.clamp %last {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
  return %last_relu : tensor<1x8x8x8xi8>
}
