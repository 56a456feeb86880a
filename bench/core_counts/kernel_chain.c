// Sums that are several launches of the unit's vector part.

#include "kernel_sum.h"
#include "luna/chain_cost.h"

// Scales, the range of the output, the zero point of the left operand.
typedef struct Sum {
  const char *name;
  LunaBenchScales scales;
  int32_t clamp_min, zero_point;
} Sum;

enum { ONE = 1 << 30, OTHER = ONE + 12345 };

static const Sum sums[] = {
    {"sum by vector calls, not scaled", {LUNA_TYPE_I8, 1, {0, 0}, 0}, -128, 3},
    {"sum by vector calls, ReLU", {LUNA_TYPE_I8, 1, {0, 0}, 0}, -3, -128},
    {"sum by vector calls", {LUNA_TYPE_I8, 0, {ONE, OTHER}, 14}, -128, 3},
    {"sum by vector calls, one scaled",
     {LUNA_TYPE_I8, 1, {0, OTHER}, 14},
     -128,
     0},
    {"sum by vector calls, double rounding",
     {LUNA_TYPE_I8, 1, {OTHER, 0}, 39},
     -128,
     3},
    {"sum by vector calls, double rounding, ReLU",
     {LUNA_TYPE_I8, 1, {0, OTHER}, 39},
     -3,
     -128},
};

// Returns one of pieces of `piece` rows. The left operand has `padding`
// channels of padding.
static LunaEltwiseDesc sum_of(const Sum *sum, int32_t rows, int32_t piece,
                              int32_t padding) {
  const int32_t channels = 16;
  LunaEltwiseDesc desc =
      luna_bench_sum(&sum->scales, rows, (LunaBenchRows){channels, padding, 0});
  desc.on_core = 0;
  desc.lhs_zero_point = sum->zero_point;
  desc.requant.clamp_min = sum->clamp_min;
  desc.scratch = (LunaTensorDesc){
      .type = LUNA_TYPE_I8,
      .dims = {1, 1, 1, (padding ? 9 : 8) * piece * COLUMNS * channels},
      .strides = {0, 0, 0, 1}};
  return desc;
}

// Returns its cost beside the call.
static uint64_t chain_cost(const LunaEltwiseDesc *desc) {
  LunaEltwiseChain chain;
  luna_eltwise_has_chain(desc, &chain);
  return luna_eltwise_chain_cost(&luna_bench_machine, desc, &chain)
             .host_cycles -
         luna_core_cycles(&luna_bench_machine, LUNA_HOST_CALL, 1);
}

static void count_chain(const Sum *sum, int32_t padding) {
  for (int32_t piece = 1; piece <= ROWS; piece *= 2) {
    const LunaEltwiseDesc desc = sum_of(sum, ROWS, piece, padding);
    luna_bench_run_nothing();
    luna_bench_run_sum(&desc, luna_bench_data.sums);
    LUNA_BENCH_PRINT(sum->name, chain_cost(&desc));
  }
}

// Returns one whose operands are shifted, or only the right one.
static LunaEltwiseDesc shifts_of(int32_t multiplier, int32_t channels,
                                 int32_t piece) {
  const LunaBenchScales scales = {LUNA_TYPE_I8, 0, {multiplier, ONE}, 31};
  LunaEltwiseDesc desc =
      luna_bench_sum(&scales, ROWS, (LunaBenchRows){channels, 0, 0});
  desc.on_core = desc.lhs_zero_point = desc.rhs_zero_point = 0;
  desc.scratch = (LunaTensorDesc){
      .type = LUNA_TYPE_I8,
      .dims = {1, 1, 1, (multiplier ? 2 : 1) * piece * COLUMNS * channels + 4},
      .strides = {0, 0, 0, 1}};
  return desc;
}

// Returns its cost beside the call.
static uint64_t shifts_cost(const LunaEltwiseDesc *desc) {
  return luna_core_shifts_cycles(&luna_bench_machine, desc) +
         (uint64_t)luna_eltwise_launches(desc) *
             luna_core_call_cycles(&luna_bench_machine, LUNA_HOST_VECTOR) -
         luna_core_cycles(&luna_bench_machine, LUNA_HOST_CALL, 1);
}

static void count_shifts(const char *name, int32_t multiplier) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 8)
    for (int32_t piece = ROWS / 4; piece <= ROWS; piece *= 2) {
      const LunaEltwiseDesc desc = shifts_of(multiplier, channels, piece);
      luna_bench_run_nothing();
      luna_bench_run_sum(&desc, luna_bench_data.sums);
      LUNA_BENCH_PRINT(name, shifts_cost(&desc));
    }
}

void luna_bench_count_chains(void) {
  for (size_t i = 0; i < sizeof sums / sizeof sums[0]; ++i)
    for (int32_t padding = 0; padding < 8; padding += 4)
      count_chain(&sums[i], padding);
  count_shifts("sum of shifted operands", ONE);
  count_shifts("sum of a shifted operand", 0);
}
