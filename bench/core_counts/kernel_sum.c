#include "kernel_sum.h"

void luna_bench_run_sum(const LunaEltwiseDesc *desc, void *scratch) {
  luna_bench_mark();
  luna_core_eltwise(desc, luna_bench_data.bytes[0], luna_bench_data.bytes[1],
                    scratch, luna_bench_data.bytes[2]);
  luna_bench_mark();
}

LunaEltwiseDesc luna_bench_sum(const LunaBenchScales *scales, int32_t rows,
                               LunaBenchRows each) {
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

// The unit's cost the core a call.
static uint64_t sum_cost(const LunaEltwiseDesc *desc) {
  if (!desc->on_core)
    return luna_core_call_cycles(&luna_bench_machine, LUNA_HOST_VECTOR);
  return luna_core_eltwise_cycles(&luna_bench_machine, desc);
}

static void count_sum(const char *name, const LunaBenchScales *scales,
                      int32_t rows, LunaBenchRows each) {
  LunaEltwiseDesc once = luna_bench_sum(scales, rows, each);
  LunaEltwiseDesc twice = luna_bench_sum(scales, 2 * ROWS, each);
  luna_bench_run_sum(&once, 0);
  luna_bench_run_sum(&twice, 0);
  LUNA_BENCH_PRINT(name, sum_cost(&twice) - sum_cost(&once));
}

// Of no element, beside one of the unit.
static void count_empty_sum(void) {
  const LunaBenchScales scales = {
      LUNA_TYPE_I8, 0, {1 << 30, (1 << 30) + 12345}, 12};
  LunaEltwiseDesc twice =
      luna_bench_sum(&scales, 0, (LunaBenchRows){CHANNELS, 0, 0});
  LunaEltwiseDesc once = twice;
  once.on_core = 0;
  luna_bench_run_sum(&once, 0);
  luna_bench_run_sum(&twice, 0);
  LUNA_BENCH_PRINT("sum of nothing", sum_cost(&twice) - sum_cost(&once));
}

static void count_sums(const char *name, LunaBenchScales scales) {
  for (int32_t channels = 16; channels <= CHANNELS; channels *= 2) {
    count_sum(name, &scales, ROWS, (LunaBenchRows){channels, 0, 0});
    count_sum(name, &scales, ROWS, (LunaBenchRows){channels, channels / 2, 0});
    count_sum(name, &scales, ROWS, (LunaBenchRows){channels, 0, 1});
  }
}

// The call of the unit.
static void count_call(void) {
  const LunaBenchScales scales = {LUNA_TYPE_I8, 0, {0, 0}, 0};
  LunaEltwiseDesc sum =
      luna_bench_sum(&scales, 1, (LunaBenchRows){CHANNELS, 0, 0});
  sum.on_core = 0;
  LUNA_BENCH_PRINT_CALL("vector",
                        luna_core_eltwise(&sum, luna_bench_data.bytes[0],
                                          luna_bench_data.bytes[1], 0,
                                          luna_bench_data.bytes[2]),
                        LUNA_HOST_VECTOR);
}

void luna_bench_count_sums(void) {
  const int32_t one = 1 << 30, other = one + 12345;
  count_sums("sum",
             (LunaBenchScales){LUNA_TYPE_I8, 0, {one, one + (1 << 29)}, 12});
  count_sums("sum, scaled",
             (LunaBenchScales){LUNA_TYPE_I8, 0, {one, other}, 12});
  count_sums("sum, any shift",
             (LunaBenchScales){LUNA_TYPE_I8, 0, {one, other}, 39});
  count_sums("sum, double rounding",
             (LunaBenchScales){LUNA_TYPE_I8, 1, {one, other}, 39});
  count_sums("sum of one scale",
             (LunaBenchScales){LUNA_TYPE_I8, 0, {one, one}, 12});
  count_sum("table of sums",
            &(LunaBenchScales){LUNA_TYPE_I8, 0, {one, one}, 12}, 0,
            (LunaBenchRows){CHANNELS, 0, 0});
  count_sums("sum of int16",
             (LunaBenchScales){LUNA_TYPE_I16, 0, {one, other}, 39});
  count_sums("sum of int16, not scaled",
             (LunaBenchScales){LUNA_TYPE_I16, 0, {0, 0}, 0});
  count_empty_sum();
  count_call();
}
