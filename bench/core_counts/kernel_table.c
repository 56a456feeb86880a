// Activations by table.

#include "kernels.h"

// An activation by table, with a gap between rows of the output.
static LunaTableDesc look_up_of(int32_t rows, int32_t channels, int32_t gap) {
  LunaTableDesc desc = {
      .on_core = 1,
      .input = luna_bench_tensor(LUNA_TYPE_I8, rows, channels),
      .table = {.dims = {1, 1, 1, 256}, .strides = {256, 256, 256, 1}},
      .output = luna_bench_tensor(LUNA_TYPE_I8, rows, channels),
  };
  desc.output.strides[1] += gap;
  return desc;
}

static void run_look_up(const LunaTableDesc *desc) {
  luna_bench_mark();
  luna_core_table(desc, luna_bench_data.bytes[0], luna_bench_data.bytes[1],
                  luna_bench_data.bytes[2]);
  luna_bench_mark();
}

static uint64_t table_cost(const LunaTableDesc *desc) {
  return luna_core_table_cycles(&luna_bench_machine, desc);
}

// More rows, and rows that are longer.
static void count_rows(void) {
  for (int32_t channels = 2; channels <= CHANNELS / 2; channels *= 4)
    for (int32_t gap = 0; gap < 2; ++gap) {
      LunaTableDesc once = look_up_of(ROWS, channels, gap);
      LunaTableDesc more = look_up_of(2 * ROWS, channels, gap);
      run_look_up(&once);
      run_look_up(&more);
      LUNA_BENCH_PRINT("table", table_cost(&more) - table_cost(&once));
      more = look_up_of(ROWS, 2 * channels, gap);
      run_look_up(&once);
      run_look_up(&more);
      LUNA_BENCH_PRINT("table", table_cost(&more) - table_cost(&once));
    }
}

// A small one as a whole.
static void count_whole(void) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 8) {
    const LunaTableDesc look_up = look_up_of(1, channels, 0);
    luna_bench_run_nothing();
    run_look_up(&look_up);
    LUNA_BENCH_PRINT(
        "call of a table",
        table_cost(&look_up) -
            luna_core_cycles(&luna_bench_machine, LUNA_HOST_CALL, 1));
  }
}

void luna_bench_count_tables(void) {
  count_rows();
  count_whole();
}
