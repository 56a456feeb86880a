// Sums of two tensors, by the core and by vector calls of the unit.

#include "kernels.h"
#include "luna/chain_cost.h"

static void run_sum(const LunaEltwiseDesc *desc) {
  luna_bench_mark();
  luna_core_eltwise(desc, luna_bench_data.bytes[0], luna_bench_data.bytes[1], 0,
                    luna_bench_data.bytes[2]);
  luna_bench_mark();
}

// How the operands of a sum are scaled.
typedef struct Scales {
  int32_t type, rounding, multipliers[2], shift;
} Scales;

// Of the left operand `padding` channels are padding; between channels of the
// output there is a gap.
typedef struct Rows {
  int32_t channels, padding, gap;
} Rows;

static LunaEltwiseDesc sum_of(const Scales *scales, int32_t rows, Rows each) {
  int32_t channels = each.channels;
  LunaEltwiseDesc desc = {
      .on_core = 1,
      .kind = LUNA_ELTWISE_ADD,
      .lhs = luna_bench_tensor(scales->type, rows, channels - each.padding),
      .rhs = luna_bench_tensor(scales->type, rows, channels),
      .output = luna_bench_tensor(LUNA_TYPE_I8, rows, channels),
      .lhs_zero_point = 3,
      .lhs_multiplier = scales->multipliers[0],
      .lhs_shift = scales->shift,
      .rhs_zero_point = -5,
      .rhs_multiplier = scales->multipliers[1],
      .rhs_shift = scales->shift,
      .input_rounding = scales->rounding,
      .requant =
          luna_bench_requant(LUNA_REQUANT_MULTIPLIER, scales->rounding, 0),
  };
  desc.output.strides[2] += each.gap;
  desc.output.strides[1] += COLUMNS * each.gap;
  return desc;
}

// The same by vector calls, of pieces of `piece` rows.
static LunaEltwiseDesc chain_of(const Scales *scales, int32_t rows,
                                int32_t piece) {
  const int32_t channels = 16;
  LunaEltwiseDesc desc = sum_of(scales, rows, (Rows){channels, 0, 0});
  desc.on_core = 0;
  desc.scratch =
      (LunaTensorDesc){.type = LUNA_TYPE_I8,
                       .dims = {1, 1, 1, 8 * piece * COLUMNS * channels},
                       .strides = {0, 0, 0, 1}};
  return desc;
}

static void run_calls(const LunaEltwiseDesc *desc) {
  luna_bench_mark();
  luna_core_eltwise(desc, luna_bench_data.bytes[0], luna_bench_data.bytes[1],
                    luna_bench_data.sums, luna_bench_data.bytes[2]);
  luna_bench_mark();
}

static uint64_t chain_cost(const LunaEltwiseDesc *desc) {
  LunaEltwiseChain chain;
  luna_eltwise_has_chain(desc, &chain);
  return luna_eltwise_chain_cost(&luna_bench_machine, desc, &chain).host_cycles;
}

// The unit's cost the core a call.
static uint64_t sum_cost(const LunaEltwiseDesc *desc) {
  if (!desc->on_core)
    return luna_core_call_cycles(&luna_bench_machine, LUNA_HOST_VECTOR);
  return luna_core_eltwise_cycles(&luna_bench_machine, desc);
}

static void count_sum(const char *name, const Scales *scales, int32_t rows,
                      Rows each) {
  LunaEltwiseDesc once = sum_of(scales, rows, each);
  LunaEltwiseDesc twice = sum_of(scales, 2 * ROWS, each);
  run_sum(&once);
  run_sum(&twice);
  LUNA_BENCH_PRINT(name, sum_cost(&twice) - sum_cost(&once));
}

// Of no element, beside one of the unit.
static void count_empty_sum(void) {
  const Scales scales = {LUNA_TYPE_I8, 0, {1 << 30, (1 << 30) + 12345}, 12};
  LunaEltwiseDesc twice = sum_of(&scales, 0, (Rows){CHANNELS, 0, 0});
  LunaEltwiseDesc once = twice;
  once.on_core = 0;
  run_sum(&once);
  run_sum(&twice);
  LUNA_BENCH_PRINT("sum of nothing", sum_cost(&twice) - sum_cost(&once));
}

static void count_sums(const char *name, Scales scales) {
  for (int32_t channels = 16; channels <= CHANNELS; channels *= 2) {
    count_sum(name, &scales, ROWS, (Rows){channels, 0, 0});
    count_sum(name, &scales, ROWS, (Rows){channels, channels / 2, 0});
    count_sum(name, &scales, ROWS, (Rows){channels, 0, 1});
  }
}

static void count_chain(const char *name, Scales scales) {
  for (int32_t piece = 1; piece <= 4; piece *= 2) {
    LunaEltwiseDesc once = chain_of(&scales, 4, piece);
    LunaEltwiseDesc twice = chain_of(&scales, ROWS, piece);
    run_calls(&once);
    run_calls(&twice);
    LUNA_BENCH_PRINT(name, chain_cost(&twice) - chain_cost(&once));
  }
}

// All of one, beside a sum of the unit's.
static void count_whole_chain(const char *name, Scales scales) {
  LunaEltwiseDesc twice = chain_of(&scales, 4, 4), once = twice;
  once.scratch.dims[3] = 0;
  run_sum(&once);
  run_calls(&twice);
  LUNA_BENCH_PRINT(name, chain_cost(&twice) - sum_cost(&once));
}

static void count_chains(void) {
  const int32_t one = 1 << 30, other = one + 12345;
  const Scales any = {LUNA_TYPE_I8, 0, {one, other}, 14};
  const Scales plain = {LUNA_TYPE_I8, 0, {0, 0}, 0};
  count_chain("sum by vector calls", any);
  count_chain("sum by vector calls, not scaled", plain);
  count_whole_chain("whole sum by vector calls", any);
  count_whole_chain("whole sum by vector calls, not scaled", plain);
}

// The call of the unit.
static void count_call(void) {
  const Scales scales = {LUNA_TYPE_I8, 0, {0, 0}, 0};
  LunaEltwiseDesc sum = sum_of(&scales, 1, (Rows){CHANNELS, 0, 0});
  sum.on_core = 0;
  LUNA_BENCH_PRINT_CALL("vector",
                        luna_core_eltwise(&sum, luna_bench_data.bytes[0],
                                          luna_bench_data.bytes[1], 0,
                                          luna_bench_data.bytes[2]),
                        LUNA_HOST_VECTOR);
}

void luna_bench_count_sums(void) {
  const int32_t one = 1 << 30, other = one + 12345;
  count_sums("sum", (Scales){LUNA_TYPE_I8, 0, {one, one + (1 << 29)}, 12});
  count_sums("sum, scaled", (Scales){LUNA_TYPE_I8, 0, {one, other}, 12});
  count_sums("sum, any shift", (Scales){LUNA_TYPE_I8, 0, {one, other}, 39});
  count_sums("sum, double rounding",
             (Scales){LUNA_TYPE_I8, 1, {one, other}, 39});
  count_sums("sum of one scale", (Scales){LUNA_TYPE_I8, 0, {one, one}, 12});
  count_sum("table of sums", &(Scales){LUNA_TYPE_I8, 0, {one, one}, 12}, 0,
            (Rows){CHANNELS, 0, 0});
  count_sums("sum of int16", (Scales){LUNA_TYPE_I16, 0, {one, other}, 39});
  count_sums("sum of int16, not scaled", (Scales){LUNA_TYPE_I16, 0, {0, 0}, 0});
  count_empty_sum();
  count_chains();
  count_call();
}
