module {
  func.func @main(%arg0: memref<1x8x8x8xi8, #luna.memory<psram>>, %arg1: memref<16x3x3x8xi8, #luna.memory<psram>>, %arg2: memref<1x6x6x16xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 4544 : i64, luna.cost = {at_most = 20027 : i64, paths = [{bound = 16036 : i64, compute = 2334 : i64, cycles = 20027 : i64, dma = 3991 : i64, dma_bytes = 2240 : i64, host = 13702 : i64, loops = [], path = "straight", stall = 3991 : i64, transfers = 3 : i64}]}, luna.plan = {activation_bytes = 2240 : i64, activation_lower_bound_bytes = 2240 : i64, buffers = [{bytes = 576 : i64, id = 0 : i64, kind = "tensor", live = array<i64: 4, 7>, name = "tensor0", offset = 3456 : i64}, {bytes = 512 : i64, id = 1 : i64, kind = "tensor", live = array<i64: 0, 5>, name = "input1", offset = 4032 : i64}, {bytes = 1152 : i64, id = 2 : i64, kind = "tensor", live = array<i64: 2, 5>, name = "input2", offset = 2304 : i64}, {bytes = 2304 : i64, id = 3 : i64, kind = "scratch", live = array<i64: 4, 5>, name = "scratch3", offset = 0 : i64}], capacity_bytes = 655360 : i64, impossible_paths = 0 : i64, lower_bound_bytes = 4544 : i64, machine = "venus", merge = "path", optimal = true, path_count = 1 : i64, path_count_is_bound = false, paths = [{heaviest_step = 4 : i64, live_bytes = 4544 : i64, path = "straight", peak_bytes = 4544 : i64, steps = array<i64: 0, 7>}], per_strategy = [{merge = "path", strategy = "large-first", tensor_bytes = 4544 : i64, total_bytes = 4544 : i64}], proof = "bound", scratch_bytes = 2304 : i64, search_steps = 0 : i64, staging_bytes = 0 : i64, state_bytes = 0 : i64, step_paths = ["straight", "straight", "straight", "straight", "straight", "straight", "straight"], steps = ["luna.dma_start#3", "luna.dma_wait#4", "luna.dma_start#6", "luna.dma_wait#7", "luna.conv2d#9", "luna.dma_start#10", "luna.dma_wait#11"], strategy = "large-first", tensor_bytes = 4544 : i64, tensor_lower_bound_bytes = 4544 : i64, total_bytes = 4544 : i64, witness = {bytes = 4544 : i64, live = ["tensor0", "input1", "input2", "scratch3"], path = "straight", step = 4 : i64}}} {
    luna.region 0 {
      %alloc = memref.alloc() {luna.place = #luna.place<id = 0, offset = 3456, kind = output, name = "tensor0">} : memref<1x6x6x16xi8, #luna.memory<shared>>
      %alloc_0 = memref.alloc() {luna.place = #luna.place<id = 1, offset = 4032, kind = input, name = "input1">} : memref<1x8x8x8xi8, #luna.memory<shared>>
      %0 = luna.dma_start %arg0 to %alloc_0 : memref<1x8x8x8xi8, #luna.memory<psram>> to memref<1x8x8x8xi8, #luna.memory<shared>>
      luna.dma_wait %0
      %alloc_1 = memref.alloc() {luna.place = #luna.place<id = 2, offset = 2304, kind = input, name = "input2">} : memref<16x3x3x8xi8, #luna.memory<shared>>
      %1 = luna.dma_start %arg1 to %alloc_1 : memref<16x3x3x8xi8, #luna.memory<psram>> to memref<16x3x3x8xi8, #luna.memory<shared>>
      luna.dma_wait %1
      %alloc_2 = memref.alloc() {luna.place = #luna.place<id = 3, offset = 0, kind = scratch, name = "scratch3">} : memref<2304xi8, #luna.memory<shared>>
      luna.conv2d ins(%alloc_0, %alloc_1 : memref<1x8x8x8xi8, #luna.memory<shared>>, memref<16x3x3x8xi8, #luna.memory<shared>>) scratch(%alloc_2 : memref<2304xi8, #luna.memory<shared>>) outs(%alloc : memref<1x6x6x16xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>, tiling = array<i32: 6, 6, 16, 8, 3, 3, 1, 2304, 0>}
      %2 = luna.dma_start %alloc to %arg2 : memref<1x6x6x16xi8, #luna.memory<shared>> to memref<1x6x6x16xi8, #luna.memory<psram>>
      luna.dma_wait %2
      luna.yield
    }
    return
  }
  luna.program @main.program {
    func.func @main(%arg0: memref<1x8x8x8xi8>, %arg1: memref<16x3x3x8xi8>, %arg2: memref<1x6x6x16xi8>) {
      luna.conv2d ins(%arg0, %arg1 : memref<1x8x8x8xi8>, memref<16x3x3x8xi8>) outs(%arg2 : memref<1x6x6x16xi8>) {requant = #luna.requant<mode = multiplier, multiplier = 1234567890, shift = 38>}
      return
    }
  }
}

