module {
  memref.global "private" constant @params0 : memref<48xi8, #luna.memory<psram>> = dense<[1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0]> {alignment = 16 : i64}
  func.func @main(%arg0: memref<1x4x4x2xi8, #luna.memory<psram>>, %arg1: memref<1x4x4x2xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 240 : i64, luna.cost = {at_most = 16051 : i64, paths = [{bound = 14027 : i64, compute = 1413 : i64, cycles = 16051 : i64, dma = 2024 : i64, dma_bytes = 112 : i64, host = 12614 : i64, loops = [], path = "straight", stall = 2024 : i64, transfers = 3 : i64}]}, luna.plan = {activation_bytes = 64 : i64, activation_lower_bound_bytes = 64 : i64, buffers = [{bytes = 48 : i64, id = 0 : i64, kind = "staging", live = array<i64: 2, 5>, name = "staging0", offset = 128 : i64}, {bytes = 32 : i64, id = 1 : i64, kind = "tensor", live = array<i64: 4, 7>, name = "tensor1", offset = 176 : i64}, {bytes = 32 : i64, id = 2 : i64, kind = "tensor", live = array<i64: 0, 5>, name = "input2", offset = 208 : i64}, {bytes = 128 : i64, id = 3 : i64, kind = "scratch", live = array<i64: 4, 5>, name = "scratch3", offset = 0 : i64}], capacity_bytes = 655360 : i64, impossible_paths = 0 : i64, lower_bound_bytes = 240 : i64, machine = "venus", merge = "path", optimal = true, path_count = 1 : i64, path_count_is_bound = false, paths = [{heaviest_step = 4 : i64, live_bytes = 240 : i64, path = "straight", peak_bytes = 240 : i64, steps = array<i64: 0, 7>}], per_strategy = [{merge = "path", strategy = "large-first", tensor_bytes = 192 : i64, total_bytes = 240 : i64}], proof = "bound", scratch_bytes = 128 : i64, search_steps = 0 : i64, staging_bytes = 48 : i64, state_bytes = 0 : i64, step_paths = ["straight", "straight", "straight", "straight", "straight", "straight", "straight"], steps = ["luna.dma_start#7", "luna.dma_wait#8", "luna.dma_start#10", "luna.dma_wait#12", "luna.conv2d#16", "luna.dma_start#17", "luna.dma_wait#18"], strategy = "large-first", tensor_bytes = 192 : i64, tensor_lower_bound_bytes = 192 : i64, total_bytes = 240 : i64, witness = {bytes = 240 : i64, live = ["staging0", "tensor1", "input2", "scratch3"], path = "straight", step = 4 : i64}}} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    luna.region 0 {
      %alloc = memref.alloc() {luna.place = #luna.place<id = 0, offset = 128, kind = staging, name = "staging0">} : memref<48xi8, #luna.memory<shared>>
      %alloc_0 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 176, kind = output, name = "tensor1">} : memref<1x4x4x2xi8, #luna.memory<shared>>
      %alloc_1 = memref.alloc() {luna.place = #luna.place<id = 2, offset = 208, kind = input, name = "input2">} : memref<1x4x4x2xi8, #luna.memory<shared>>
      %0 = luna.dma_start %arg0 to %alloc_1 : memref<1x4x4x2xi8, #luna.memory<psram>> to memref<1x4x4x2xi8, #luna.memory<shared>>
      luna.dma_wait %0
      %1 = memref.get_global @params0 : memref<48xi8, #luna.memory<psram>>
      %2 = luna.dma_start %1 to %alloc : memref<48xi8, #luna.memory<psram>> to memref<48xi8, #luna.memory<shared>>
      %alloc_2 = memref.alloc() {luna.place = #luna.place<id = 3, offset = 0, kind = scratch, name = "scratch3">} : memref<128xi8, #luna.memory<shared>>
      luna.dma_wait %2
      %view = memref.view %alloc[%c0][] : memref<48xi8, #luna.memory<shared>> to memref<2x1x1x2xi8, #luna.memory<shared>>
      %view_3 = memref.view %alloc[%c16][] : memref<48xi8, #luna.memory<shared>> to memref<2xi32, #luna.memory<shared>>
      %view_4 = memref.view %alloc[%c32][] : memref<48xi8, #luna.memory<shared>> to memref<2x2xi32, #luna.memory<shared>>
      luna.conv2d ins(%alloc_1, %view : memref<1x4x4x2xi8, #luna.memory<shared>>, memref<2x1x1x2xi8, #luna.memory<shared>>) bias(%view_3 : memref<2xi32, #luna.memory<shared>>) table(%view_4 : memref<2x2xi32, #luna.memory<shared>>) scratch(%alloc_2 : memref<128xi8, #luna.memory<shared>>) outs(%alloc_0 : memref<1x4x4x2xi8, #luna.memory<shared>>) {params = @params0, requant = #luna.requant<mode = multiplier, per_channel = true>, tiling = array<i32: 4, 4, 2, 2, 1, 1, 1, 128, 0>}
      %3 = luna.dma_start %alloc_0 to %arg1 : memref<1x4x4x2xi8, #luna.memory<shared>> to memref<1x4x4x2xi8, #luna.memory<psram>>
      luna.dma_wait %3
      luna.yield
    }
    return
  }
  luna.program @main.program {
    memref.global "private" constant @w : memref<2x2xi8, #luna.memory<psram>> = dense<[[1, 2], [3, 4]]>
    memref.global "private" constant @b : memref<2xi32, #luna.memory<psram>> = dense<[5, -1]>
    memref.global "private" constant @t : memref<2x2xi32, #luna.memory<psram>> = dense<7>
    func.func @main(%arg0: memref<1x4x4x2xi8, #luna.memory<shared>>, %arg1: memref<1x4x4x2xi8, #luna.memory<shared>>) {
      %0 = memref.get_global @w : memref<2x2xi8, #luna.memory<psram>>
      %expand_shape = memref.expand_shape %0 [[0, 1, 2], [3]] output_shape [2, 1, 1, 2] : memref<2x2xi8, #luna.memory<psram>> into memref<2x1x1x2xi8, #luna.memory<psram>>
      %1 = memref.get_global @b : memref<2xi32, #luna.memory<psram>>
      %2 = memref.get_global @t : memref<2x2xi32, #luna.memory<psram>>
      luna.conv2d ins(%arg0, %expand_shape : memref<1x4x4x2xi8, #luna.memory<shared>>, memref<2x1x1x2xi8, #luna.memory<psram>>) bias(%1 : memref<2xi32, #luna.memory<psram>>) table(%2 : memref<2x2xi32, #luna.memory<psram>>) outs(%arg1 : memref<1x4x4x2xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = multiplier, per_channel = true>}
      return
    }
  }
}

