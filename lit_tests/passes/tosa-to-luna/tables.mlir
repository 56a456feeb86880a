// The 256 entries of a table are what the upstream lowering computes: both are
// printed as one list of numbers.
// RUN: luna-opt --pass-pipeline='builtin.module(func.func(tosa-to-luna))' --mlir-print-elementsattrs-with-hex-if-larger=-1 %s > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sed -n 's/.*values = dense<\[\(.*\)\]> : tensor<256xi8>.*/\1/p' %t.mlir | tr ', ' '\n\n' | grep . > %t.table
// RUN: luna-opt --pass-pipeline='builtin.module(luna-compile-reference)' %s | mlir-runner -e print -entry-point-result=void -shared-libs=%llvm_lib/libmlir_runner_utils.so,%llvm_lib/libmlir_c_runner_utils.so > %t.run
// RUN: grep -v Unranked %t.run | tr -d '[] ' | tr ',' '\n' > %t.upstream
// RUN: diff %t.table %t.upstream

// Scales up, and down with and without the extra term of double rounding; zero
// points; a table; a pass through 32 bits; clamps. The results run into the
// ends of int8.
// CHECK-LABEL: func.func private @chains
// CHECK-COUNT-5: luna.table
// CHECK-NOT: luna.table
// CHECK: return
func.func private @chains(%x: tensor<256xi8>) -> (tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>) {
  %m0 = "tosa.const"() <{values = dense<1609949824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s28 = "tosa.const"() <{values = dense<28> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s33 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s14 = "tosa.const"() <{values = dense<14> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s46 = "tosa.const"() <{values = dense<46> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = "tosa.const"() <{values = dense<-18> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.rescale %x, %m0, %s28, %a, %b {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<256xi8>
  %1 = tosa.rescale %x, %m0, %s33, %b, %a {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<256xi8>
  %2 = tosa.rescale %x, %m0, %s33, %b, %a {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<256xi8>
  %3 = tosa.rescale %x, %m0, %s14, %b, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<256xi32>
  %4 = tosa.clamp %3 {min_val = -5000000 : i32, max_val = 8000000 : i32} : (tensor<256xi32>) -> tensor<256xi32>
  %5 = tosa.rescale %4, %m0, %s46, %z, %a {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<256xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<256xi8>
  %6 = tosa.rescale %x, %m0, %s31, %b, %a {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<256xi8>
  %t = "tosa.const"() <{values = dense<"0x7942BDF22106F0847762F0F3CB4D764DC7072051159A0F89F2C6DACAE344BB311245FD6F84DF9AD7C5B3D076AC0E8F53A7356C88913F20F6F72DB022D24D0A96DAD43C1617C1A98E78129E0327371065D095864F15ADA0B846C1C0EBC5348ADC799ADF849BAD05D4A10AC0441EAAEEB4B48EFA0B1F0ABD80E998A35ABA5EA0BD8799C1350D439E71897AA75FDE3134A4AA72E05628AC6FE68A733D1161A15D8EAE2BB042D7958AEDB1D594D6D112D34F6602F4DE7110E993AE7422923D7D171165DC1906F63D57997A0AD31B3AAE4081F41FB471653E3D577A8C4103F9CC198A7F89D81AF2A5001C40173F1923F7102CFAA150A124B3C5C79BB88761A8DB3F41"> : tensor<256xi8>}> : () -> tensor<256xi8>
  %7 = tosa.table %6, %t : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
  %8 = tosa.clamp %7 {min_val = -100 : i8, max_val = 90 : i8} : (tensor<256xi8>) -> tensor<256xi8>
  return %0, %1, %2, %5, %8 : tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>
}

func.func private @printMemrefI32(tensor<*xi32>)

func.func @print() {
  %x = "tosa.const"() <{values = dense<"0x808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9FA0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F"> : tensor<1x256xi8>}> : () -> tensor<1x256xi8>
  %shape = tosa.const_shape {values = dense<256> : tensor<1xindex>} : () -> !tosa.shape<1>
  %v = tosa.reshape %x, %shape : (tensor<1x256xi8>, !tosa.shape<1>) -> tensor<256xi8>
  %0, %1, %2, %3, %4 = call @chains(%v) : (tensor<256xi8>) -> (tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>)
  %w0 = tosa.cast %0 : (tensor<256xi8>) -> tensor<256xi32>
  %u0 = tensor.cast %w0 : tensor<256xi32> to tensor<*xi32>
  call @printMemrefI32(%u0) : (tensor<*xi32>) -> ()
  %w1 = tosa.cast %1 : (tensor<256xi8>) -> tensor<256xi32>
  %u1 = tensor.cast %w1 : tensor<256xi32> to tensor<*xi32>
  call @printMemrefI32(%u1) : (tensor<*xi32>) -> ()
  %w2 = tosa.cast %2 : (tensor<256xi8>) -> tensor<256xi32>
  %u2 = tensor.cast %w2 : tensor<256xi32> to tensor<*xi32>
  call @printMemrefI32(%u2) : (tensor<*xi32>) -> ()
  %w3 = tosa.cast %3 : (tensor<256xi8>) -> tensor<256xi32>
  %u3 = tensor.cast %w3 : tensor<256xi32> to tensor<*xi32>
  call @printMemrefI32(%u3) : (tensor<*xi32>) -> ()
  %w4 = tosa.cast %4 : (tensor<256xi8>) -> tensor<256xi32>
  %u4 = tensor.cast %w4 : tensor<256xi32> to tensor<*xi32>
  call @printMemrefI32(%u4) : (tensor<*xi32>) -> ()
  return
}
