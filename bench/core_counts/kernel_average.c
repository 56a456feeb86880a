// Averages over windows.

#include "kernels.h"

static void run_average(const LunaPoolDesc *desc) {
  luna_bench_mark();
  luna_core_pool(desc, luna_bench_data.bytes[0], luna_bench_data.bytes[2]);
  luna_bench_mark();
}

// Averages over windows of `kernel`, `pad` around each side, of `count` images.
static LunaPoolDesc average_of(int32_t count, int32_t rows, int32_t channels,
                               int32_t kernel, int32_t stride, int32_t pad) {
  const int32_t out_rows = (rows + 2 * pad - kernel) / stride + 1;
  const int32_t out_columns = (COLUMNS + 2 * pad - kernel) / stride + 1;
  LunaPoolDesc desc = {
      .kind = LUNA_POOL_AVERAGE,
      .input = luna_bench_tensor(LUNA_TYPE_I8, rows, channels),
      .output = luna_bench_tensor(LUNA_TYPE_I8, out_rows, channels),
      .kernel = {kernel, kernel},
      .stride = {stride, stride},
      .pad = {pad, pad, pad, pad},
      .input_zero_point = -4,
      .output_zero_point = 6,
      .tiling = {.finish = LUNA_FINISH_CORE},
  };
  desc.input.dims[0] = desc.output.dims[0] = count;
  desc.output.dims[2] = out_columns;
  desc.output.strides[1] = out_columns * channels;
  desc.output.strides[0] = out_rows * out_columns * channels;
  return desc;
}

static uint64_t average_cost(const LunaPoolDesc *desc) {
  return luna_core_average_cycles(&luna_bench_machine, desc);
}

static void count_average(int32_t rows, int32_t channels, int32_t kernel,
                          int32_t stride, int32_t pad) {
  LunaPoolDesc once = average_of(1, rows, channels, kernel, stride, pad);
  LunaPoolDesc twice = average_of(2, rows, channels, kernel, stride, pad);
  run_average(&once);
  run_average(&twice);
  LUNA_BENCH_PRINT("average", average_cost(&twice) - average_cost(&once));
}

// Of all places, of windows side by side, and of those that overlap and reach
// over the sides.
static void count_windows(void) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 2) {
    count_average(4, channels, 4, 4, 0);
    count_average(ROWS, channels, ROWS, 1, 0);
    count_average(ROWS, channels, 2, 2, 0);
    count_average(ROWS, channels, 3, 1, 0);
    count_average(ROWS, channels, 3, 1, 1);
  }
}

// A small one as a whole.
static void count_whole(void) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 8) {
    const LunaPoolDesc pool = average_of(1, 4, channels, 4, 4, 0);
    luna_bench_run_nothing();
    run_average(&pool);
    LUNA_BENCH_PRINT("call of an average",
                     average_cost(&pool) - luna_core_cycles(&luna_bench_machine,
                                                            LUNA_HOST_CALL, 1));
  }
}

void luna_bench_count_averages(void) {
  count_windows();
  count_whole();
}
