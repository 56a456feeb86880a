// A luna.quantize in each of two versions.
func.func @main(%shape: tensor<1xi32> {luna.cases = array<i32: 0, 1>, luna.name = "shape"},
                %x: tensor<8xi8> {luna.name = "x", luna.shapes = [array<i64: 4>, array<i64: 8>]},
                %y: memref<8xi8> {bufferize.result, luna.name = "y", luna.shapes = [array<i64: 4>, array<i64: 8>]}) {
  %scale = "tosa.const"() <{values = dense<0.25> : tensor<f32>}> : () -> tensor<f32>
  %half = "tosa.const"() <{values = dense<0.0078125> : tensor<f32>}> : () -> tensor<f32>
  %c0 = arith.constant 0 : index
  %number = tensor.extract %shape[%c0] : tensor<1xi32>
  %case = arith.index_cast %number : i32 to index
  scf.index_switch %case
  case 0 {
    luna.label "shape" = "4"
    %part = tensor.extract_slice %x[0] [4] [1] : tensor<8xi8> to tensor<4xi8>
    %a = luna.dequantize %part, %scale : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
    %b = tosa.tanh %a : (tensor<4xf32>) -> tensor<4xf32>
    %q = luna.quantize %b, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
    %to = memref.subview %y[0] [4] [1] : memref<8xi8> to memref<4xi8, strided<[1]>>
    bufferization.materialize_in_destination %q in restrict writable %to : (tensor<4xi8>, memref<4xi8, strided<[1]>>) -> ()
    scf.yield
  }
  default {
    luna.label "shape" = "8"
    %a = luna.dequantize %x, %scale : (tensor<8xi8>, tensor<f32>) -> tensor<8xf32>
    %b = tosa.tanh %a : (tensor<8xf32>) -> tensor<8xf32>
    %q = luna.quantize %b, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xi8>
    bufferization.materialize_in_destination %q in restrict writable %y : (tensor<8xi8>, memref<8xi8>) -> ()
  }
  return
}
