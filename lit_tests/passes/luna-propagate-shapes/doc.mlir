// RUN: luna-opt %s --pass-pipeline='builtin.module(luna-propagate-shapes)' | FileCheck %s

func.func @main(%x: tensor<4x8xf32>, %y: tensor<?x8xf32> {luna.name = "y"}) -> (tensor<?x?xf32>, tensor<*xf32>) {
  %columns = tosa.dim %x {axis = 1 : i32} : (tensor<4x8xf32>) -> !tosa.shape<1>
  %rows = tosa.dim %x {axis = 0 : i32} : (tensor<4x8xf32>) -> !tosa.shape<1>
  %shape = tosa.concat_shape %columns, %rows : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %0 = tosa.reshape %x, %shape : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  %1 = tosa.concat %y, %x {axis = 0 : i32} : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<*xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<*xf32>
}

// CHECK: func.func @main({{.*}}) -> (tensor<8x4xf32>, tensor<?x8xf32>)
// CHECK: %[[S:.*]] = tosa.const_shape {values = dense<[8, 4]> : tensor<2xindex>}
// CHECK: tosa.reshape %{{.*}}, %[[S]] : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x4xf32>
// CHECK: tosa.concat {{.*}} luna.class = "ISDOS", luna.shape = ["y.0 + 4, 8"]
