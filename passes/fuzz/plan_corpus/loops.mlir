module {
  func.func @random(%arg0: i1, %arg1: i1, %arg2: i1, %arg3: index, %arg4: i8, %arg5: memref<32xi8, #luna.memory<psram>>) attributes {luna.arena_bytes = 144 : i64, luna.plan = {activation_bytes = 144 : i64, activation_lower_bound_bytes = 144 : i64, buffers = [{bytes = 32 : i64, id = 0 : i64, kind = "tensor", live = array<i64: 0, 13>, name = "tensor0", offset = 0 : i64}, {bytes = 32 : i64, id = 1 : i64, kind = "tensor", live = array<i64: 2, 11>, name = "tensor1", offset = 32 : i64}, {bytes = 16 : i64, id = 2 : i64, kind = "tensor", live = array<i64: 4, 5>, name = "tensor2", offset = 64 : i64}, {bytes = 64 : i64, id = 3 : i64, kind = "tensor", live = array<i64: 5, 6>, name = "tensor3", offset = 64 : i64}, {bytes = 32 : i64, id = 4 : i64, kind = "tensor", live = array<i64: 6, 10>, name = "tensor4", offset = 64 : i64}, {bytes = 48 : i64, id = 5 : i64, kind = "tensor", live = array<i64: 7, 8>, name = "tensor5", offset = 96 : i64}, {bytes = 32 : i64, id = 6 : i64, kind = "tensor", live = array<i64: 8, 9>, name = "tensor6", offset = 96 : i64}, {bytes = 32 : i64, id = 7 : i64, kind = "tensor", live = array<i64: 9, 11>, name = "tensor7", offset = 96 : i64}], capacity_bytes = 655360 : i64, impossible_paths = 0 : i64, lower_bound_bytes = 144 : i64, machine = "venus", merge = "path", optimal = true, path_count = 2 : i64, path_count_is_bound = false, paths = [{heaviest_step = 7 : i64, live_bytes = 144 : i64, path = "if0=then", peak_bytes = 144 : i64, steps = array<i64: 0, 13>}, {heaviest_step = 7 : i64, live_bytes = 144 : i64, path = "if0=else", peak_bytes = 144 : i64, steps = array<i64: 0, 1, 2, 13>}], per_strategy = [{merge = "path", strategy = "large-first", tensor_bytes = 160 : i64, total_bytes = 160 : i64}, {merge = "block", strategy = "large-first", tensor_bytes = 160 : i64, total_bytes = 160 : i64}, {merge = "linear", strategy = "large-first", tensor_bytes = 160 : i64, total_bytes = 160 : i64}, {merge = "none", strategy = "large-first", tensor_bytes = 160 : i64, total_bytes = 160 : i64}, {merge = "path", strategy = "tflite-offset-greedy-by-size", tensor_bytes = 160 : i64, total_bytes = 160 : i64}, {merge = "block", strategy = "tflite-offset-greedy-by-size", tensor_bytes = 160 : i64, total_bytes = 160 : i64}, {merge = "linear", strategy = "tflite-offset-greedy-by-size", tensor_bytes = 160 : i64, total_bytes = 160 : i64}, {merge = "none", strategy = "tflite-offset-greedy-by-size", tensor_bytes = 160 : i64, total_bytes = 160 : i64}, {merge = "path", strategy = "sequential", tensor_bytes = 144 : i64, total_bytes = 144 : i64}], proof = "bound", scratch_bytes = 0 : i64, search_steps = 0 : i64, staging_bytes = 0 : i64, state_bytes = 0 : i64, step_paths = ["straight", "if0=then", "straight", "straight", "straight", "straight", "straight", "straight", "straight", "straight", "straight", "straight", "straight"], steps = ["linalg.fill#4", "loop0", "memref.copy#15", "loop1", "linalg.fill#19", "linalg.fill#21", "linalg.fill#23", "linalg.fill#28", "luna.add#30", "memref.copy#33", "memref.copy#34", "luna.dma_start#37", "luna.dma_wait#38"], strategy = "sequential", tensor_bytes = 144 : i64, tensor_lower_bound_bytes = 144 : i64, total_bytes = 144 : i64, witness = {bytes = 144 : i64, live = ["tensor0", "tensor1", "tensor4", "tensor5"], path = "straight", step = 7 : i64}}} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = luna.region 0 -> memref<32xi8, #luna.memory<shared>> {
      %alloc_0 = memref.alloc() {luna.place = #luna.place<id = 0, offset = 0, kind = tensor, name = "tensor0">} : memref<32xi8, #luna.memory<shared>>
      linalg.fill ins(%arg4 : i8) outs(%alloc_0 : memref<32xi8, #luna.memory<shared>>)
      luna.yield %alloc_0 : memref<32xi8, #luna.memory<shared>>
    }
    scf.if %arg1 {
      luna.label "if0"
      luna.region 1 {
        %2 = arith.select %arg2, %0, %0 : memref<32xi8, #luna.memory<shared>>
        luna.yield
      }
      scf.for %arg6 = %c0 to %arg3 step %c1 {
        luna.label "loop0"
      }
    } else {
      luna.label "if0"
    }
    %alloc = memref.alloc() {luna.place = #luna.place<id = 1, offset = 32, kind = tensor, name = "tensor1">} : memref<32xi8, #luna.memory<shared>>
    memref.copy %0, %alloc : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<shared>>
    %1 = scf.while (%arg6 = %alloc) : (memref<32xi8, #luna.memory<shared>>) -> memref<32xi8, #luna.memory<shared>> {
      luna.label "loop1"
      %2 = luna.region 2 -> memref<32xi8, #luna.memory<shared>> {
        %alloc_0 = memref.alloc() {luna.place = #luna.place<id = 2, offset = 64, kind = tensor, name = "tensor2">} : memref<16xi8, #luna.memory<shared>>
        linalg.fill ins(%arg4 : i8) outs(%alloc_0 : memref<16xi8, #luna.memory<shared>>)
        %alloc_1 = memref.alloc() {luna.place = #luna.place<id = 3, offset = 64, kind = tensor, name = "tensor3">} : memref<64xi8, #luna.memory<shared>>
        linalg.fill ins(%arg4 : i8) outs(%alloc_1 : memref<64xi8, #luna.memory<shared>>)
        %alloc_2 = memref.alloc() {luna.place = #luna.place<id = 4, offset = 64, kind = tensor, name = "tensor4">} : memref<32xi8, #luna.memory<shared>>
        linalg.fill ins(%arg4 : i8) outs(%alloc_2 : memref<32xi8, #luna.memory<shared>>)
        luna.yield %alloc_2 : memref<32xi8, #luna.memory<shared>>
      }
      scf.condition(%arg0) %2 : memref<32xi8, #luna.memory<shared>>
    } do {
    ^bb0(%arg6: memref<32xi8, #luna.memory<shared>>):
      luna.label "loop1"
      luna.region 3 {
        %alloc_1 = memref.alloc() {luna.place = #luna.place<id = 5, offset = 96, kind = tensor, name = "tensor5">} : memref<48xi8, #luna.memory<shared>>
        linalg.fill ins(%arg4 : i8) outs(%alloc_1 : memref<48xi8, #luna.memory<shared>>)
        %alloc_2 = memref.alloc() {luna.place = #luna.place<id = 6, offset = 96, kind = tensor, name = "tensor6">} : memref<32xi8, #luna.memory<shared>>
        luna.add ins(%0, %arg6 : memref<32xi8, #luna.memory<shared>>, memref<32xi8, #luna.memory<shared>>) outs(%alloc_2 : memref<32xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = shift>}
        luna.yield
      }
      %alloc_0 = memref.alloc() {luna.place = #luna.place<id = 7, offset = 96, kind = tensor, name = "tensor7">} : memref<32xi8, #luna.memory<shared>>
      memref.copy %arg6, %alloc_0 : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<shared>>
      memref.copy %alloc_0, %alloc : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<shared>>
      scf.yield %alloc : memref<32xi8, #luna.memory<shared>>
    }
    luna.region 4 {
      %2 = luna.dma_start %0 to %arg5 : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<psram>>
      luna.dma_wait %2
      luna.yield
    }
    return
  }
  luna.program @random.program {
    func.func @random(%arg0: i1, %arg1: i1, %arg2: i1, %arg3: index, %arg4: i8, %arg5: memref<32xi8, #luna.memory<psram>>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %alloc = memref.alloc() : memref<32xi8, #luna.memory<shared>>
      linalg.fill ins(%arg4 : i8) outs(%alloc : memref<32xi8, #luna.memory<shared>>)
      scf.if %arg1 {
        %1 = arith.select %arg2, %alloc, %alloc : memref<32xi8, #luna.memory<shared>>
        scf.for %arg6 = %c0 to %arg3 step %c1 {
        }
      } else {
      }
      %0 = scf.while (%arg6 = %alloc) : (memref<32xi8, #luna.memory<shared>>) -> memref<32xi8, #luna.memory<shared>> {
        %alloc_0 = memref.alloc() : memref<16xi8, #luna.memory<shared>>
        linalg.fill ins(%arg4 : i8) outs(%alloc_0 : memref<16xi8, #luna.memory<shared>>)
        %alloc_1 = memref.alloc() : memref<64xi8, #luna.memory<shared>>
        linalg.fill ins(%arg4 : i8) outs(%alloc_1 : memref<64xi8, #luna.memory<shared>>)
        %alloc_2 = memref.alloc() : memref<32xi8, #luna.memory<shared>>
        linalg.fill ins(%arg4 : i8) outs(%alloc_2 : memref<32xi8, #luna.memory<shared>>)
        scf.condition(%arg0) %alloc_2 : memref<32xi8, #luna.memory<shared>>
      } do {
      ^bb0(%arg6: memref<32xi8, #luna.memory<shared>>):
        %alloc_0 = memref.alloc() : memref<48xi8, #luna.memory<shared>>
        linalg.fill ins(%arg4 : i8) outs(%alloc_0 : memref<48xi8, #luna.memory<shared>>)
        %alloc_1 = memref.alloc() : memref<32xi8, #luna.memory<shared>>
        luna.add ins(%alloc, %arg6 : memref<32xi8, #luna.memory<shared>>, memref<32xi8, #luna.memory<shared>>) outs(%alloc_1 : memref<32xi8, #luna.memory<shared>>) {requant = #luna.requant<mode = shift>}
        scf.yield %arg6 : memref<32xi8, #luna.memory<shared>>
      }
      memref.copy %alloc, %arg5 : memref<32xi8, #luna.memory<shared>> to memref<32xi8, #luna.memory<psram>>
      return
    }
  }
}

