// Sizes that only the running program knows: n rows of x from row 1 on, and
// what each kind of operator makes of them.
func.func @main(%x: tensor<6x4xf32> {luna.name = "x"}, %at: tensor<1xi32> {luna.name = "n"})
    -> (tensor<?x4xf32> {luna.name = "part"}, tensor<?x3xf32> {luna.name = "product"}, tensor<4x4xf32> {luna.name = "square"},
        tensor<?x4xf32> {luna.name = "joined"}, tensor<4xf32> {luna.name = "largest"}, tensor<4xf32> {luna.name = "least"},
        tensor<4xf32> {luna.name = "power"}, tensor<4xi32> {luna.name = "best"}, tensor<4xf32> {luna.name = "total"},
        tensor<4x?xf32> {luna.name = "turned"}, tensor<?xf32> {luna.name = "flat"}, tensor<?x4xf32> {luna.name = "again"},
        tensor<?x4xf32> {luna.name = "mapped"}, tensor<?x4xf32> {luna.name = "picked"}, tensor<?x2x1x2xf32> {luna.name = "windows"},
        tensor<?x6xf32> {luna.name = "padded"}, tensor<?x8xf32> {luna.name = "tiled"}, tensor<?x4xf32> {luna.name = "reversed"},
        tensor<6x4xf32> {luna.name = "placed"}, tensor<?x4xf32> {luna.name = "chosen"}, tensor<?x4xf32> {luna.name = "cache"},
        tensor<?x4xf32> {luna.name = "pairs"}, tensor<1x4xf32> {luna.name = "last"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %number = tensor.extract %at[%c0] : tensor<1xi32>
  %n = arith.index_cast %number : i32 to index
  %part = tensor.extract_slice %x[1, 0] [%n, 4] [1, 1] : tensor<6x4xf32> to tensor<?x4xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>

  // Products: rows, and sums that end at what is live.
  %w = "tosa.const"() <{values = dense<[[[1.0, -2.0, 0.5], [0.25, 1.0, -1.0], [2.0, 0.0, 1.0], [-0.5, 1.0, 3.0]]]> : tensor<1x4x3xf32>}> : () -> tensor<1x4x3xf32>
  %s3 = tosa.const_shape {values = dense<[1, -1, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %cube = tosa.reshape %part, %s3 : (tensor<?x4xf32>, !tosa.shape<3>) -> tensor<1x?x4xf32>
  %p3 = tosa.matmul %cube, %w, %zero, %zero : (tensor<1x?x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x3xf32>
  %s23 = tosa.const_shape {values = dense<[-1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %product = tosa.reshape %p3, %s23 : (tensor<1x?x3xf32>, !tosa.shape<2>) -> tensor<?x3xf32>
  %t3 = tosa.transpose %cube {perms = array<i32: 0, 2, 1>} : (tensor<1x?x4xf32>) -> tensor<1x4x?xf32>
  %q3 = tosa.matmul %t3, %cube, %zero, %zero : (tensor<1x4x?xf32>, tensor<1x?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %s44 = tosa.const_shape {values = dense<[4, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %square = tosa.reshape %q3, %s44 : (tensor<1x4x4xf32>, !tosa.shape<2>) -> tensor<4x4xf32>

  %joined = tosa.concat %part, %x, %part {axis = 0 : i32} : (tensor<?x4xf32>, tensor<6x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %s4 = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
  %max = tosa.reduce_max %part {axis = 0 : i32} : (tensor<?x4xf32>) -> tensor<1x4xf32>
  %largest = tosa.reshape %max, %s4 : (tensor<1x4xf32>, !tosa.shape<1>) -> tensor<4xf32>
  %min = tosa.reduce_min %part {axis = 0 : i32} : (tensor<?x4xf32>) -> tensor<1x4xf32>
  %least = tosa.reshape %min, %s4 : (tensor<1x4xf32>, !tosa.shape<1>) -> tensor<4xf32>
  %prod = tosa.reduce_product %part {axis = 0 : i32} : (tensor<?x4xf32>) -> tensor<1x4xf32>
  %power = tosa.reshape %prod, %s4 : (tensor<1x4xf32>, !tosa.shape<1>) -> tensor<4xf32>
  %best = tosa.argmax %part {axis = 0 : i32} : (tensor<?x4xf32>) -> tensor<4xi32>
  %none = arith.constant dense<0.0> : tensor<4xf32>
  %total = linalg.reduce { arith.addf } ins(%part : tensor<?x4xf32>) outs(%none : tensor<4xf32>) dimensions = [0]

  %turned = tosa.transpose %part {perms = array<i32: 1, 0>} : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %s1 = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %flat = tosa.reshape %part, %s1 : (tensor<?x4xf32>, !tosa.shape<1>) -> tensor<?xf32>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %again = tosa.add %back, %part : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>

  %size = tensor.dim %part, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%size) : tensor<?x4xf32>
  %mapped = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%part : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) {
  ^bb0(%e: f32, %o: f32):
    %row = linalg.index 0 : index
    %i = arith.index_cast %row : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.mulf %e, %f : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  // Indices from a column: |4 x| mod 6.
  %column = tensor.extract_slice %part[0, 1] [%n, 1] [1, 1] : tensor<?x4xf32> to tensor<?x1xf32>
  %line = tensor.collapse_shape %column [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %room = tensor.empty(%size) : tensor<?x4xf32>
  %picked = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%line : tensor<?xf32>) outs(%room : tensor<?x4xf32>) {
  ^bb0(%e: f32, %o: f32):
    %four = arith.constant 4.0 : f32
    %six = arith.constant 6 : i32
    %scaled = arith.mulf %e, %four : f32
    %positive = math.absf %scaled : f32
    %whole = arith.fptosi %positive : f32 to i32
    %rest = arith.remsi %whole, %six : i32
    %index = arith.index_cast %rest : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%index, %j] : tensor<6x4xf32>
    linalg.yield %v : f32
  } -> tensor<?x4xf32>

  // A batch of pictures of 2x2.
  %sb = tosa.const_shape {values = dense<[-1, 2, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %batch = tosa.reshape %part, %sb : (tensor<?x4xf32>, !tosa.shape<4>) -> tensor<?x2x2x1xf32>
  %k = "tosa.const"() <{values = dense<[[[[1.0], [2.0]]], [[[-1.0], [0.5]]]]> : tensor<2x1x2x1xf32>}> : () -> tensor<2x1x2x1xf32>
  %bias = "tosa.const"() <{values = dense<[0.5, -0.5]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %windows = tosa.conv2d %batch, %k, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x2x2x1xf32>, tensor<2x1x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x2x1x2xf32>

  // Along the other dimension.
  %pads = tosa.const_shape {values = dense<[0, 0, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %padded = tosa.pad %part, %pads, %zero : (tensor<?x4xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<?x6xf32>
  %times = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %tiled = tosa.tile %part, %times : (tensor<?x4xf32>, !tosa.shape<2>) -> tensor<?x8xf32>
  %reversed = tosa.reverse %part {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %placed = tensor.insert_slice %part into %x[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<6x4xf32>

  // Control flow: the other rows, or twice as many; a row more in each of n
  // iterations; two more in each of four.
  %is_small = arith.cmpi slt, %n, %c4 : index
  %chosen = scf.if %is_small -> tensor<?x4xf32> {
    %more = tosa.concat %part, %part {axis = 0 : i32} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %more : tensor<?x4xf32>
  } else {
    %neg = tosa.negate %x, %zero, %zero : (tensor<6x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x4xf32>
    %open = tensor.cast %neg : tensor<6x4xf32> to tensor<?x4xf32>
    scf.yield %open : tensor<?x4xf32>
  }
  %first = tensor.extract_slice %x[5, 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<1x4xf32>
  %start = tensor.cast %first : tensor<1x4xf32> to tensor<?x4xf32>
  %cache = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> tensor<?x4xf32> {
    %r = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<1x4xf32>
    %next = tosa.concat %t, %r {axis = 0 : i32} : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
    scf.yield %next : tensor<?x4xf32>
  } {luna.bounds = array<i64: 5>}
  %pairs = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %part) -> tensor<?x4xf32> {
    %next = tosa.concat %t, %first, %first {axis = 0 : i32} : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
    scf.yield %next : tensor<?x4xf32>
  }
  %last = tensor.extract_slice %joined[%n, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
  return %part, %product, %square, %joined, %largest, %least, %power, %best, %total, %turned, %flat, %again, %mapped, %picked, %windows, %padded, %tiled, %reversed, %placed, %chosen, %cache, %pairs, %last : tensor<?x4xf32>, tensor<?x3xf32>, tensor<4x4xf32>, tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4x?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x2x1x2xf32>, tensor<?x6xf32>, tensor<?x8xf32>, tensor<?x4xf32>, tensor<6x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<1x4xf32>
}
