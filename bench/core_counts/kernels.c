// Small kernels of core/ on a chip's core, for bench/cores: each runs once on
// some work and once on twice as much, with a mark before, between and after.
// The unit below is none: it starts and awaits in no instruction but the
// call's.

#include "luna/core.h"
#include "system.h"

enum { CHANNELS = 64, COLUMNS = 8, ROWS = 8, LAUNCHES = 64 };

static int32_t sums[2 * ROWS * COLUMNS * CHANNELS];
static int8_t bytes[3][2 * ROWS * COLUMNS * CHANNELS];
static int32_t table[2][CHANNELS];

typedef struct Product {
  LunaProductRecord record;
  LunaLaunchRecord launches[2 * LAUNCHES];
} Product;

void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands) {
  (void)record;
  (void)launch;
  (void)operands;
}

void luna_unit_await(void) {}

// The kernels leave nothing else to it.
void luna_unit_start_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                             const void *rhs, void *output) {
  (void)desc, (void)lhs, (void)rhs, (void)output;
}

void luna_unit_start_pool(const LunaPoolDesc *desc, const void *input,
                          void *output) {
  (void)desc, (void)input, (void)output;
}

// The plugin knows this address.
__attribute__((noinline)) void luna_bench_mark(void) { __asm__ volatile(""); }

static void set_up(void) {
  for (int32_t i = 0; i < 2 * ROWS * COLUMNS * CHANNELS; ++i) {
    sums[i] = (i * 7919) % 60001 - 30000;
    bytes[0][i] = (int8_t)(i % 251 - 125);
    bytes[1][i] = (int8_t)(i % 241 - 120);
  }
  for (int32_t c = 0; c < CHANNELS; ++c) {
    table[0][c] = (1 << 30) + c * 1000;
    table[1][c] = 38 + c % 3;
  }
}

static LunaTensorDesc tensor(int32_t rows) {
  return (LunaTensorDesc){
      .type = LUNA_TYPE_I8,
      .dims = {1, rows, COLUMNS, CHANNELS},
      .strides = {rows * COLUMNS * CHANNELS, COLUMNS * CHANNELS, CHANNELS, 1}};
}

//===- Kernels ------------------------------------------------------------===//
// `work` is ROWS or 2 * ROWS, of LAUNCHES.

static LunaRequantDesc requant_of(int32_t mode, int32_t rounding,
                                  int32_t per_channel) {
  LunaRequantDesc desc = {.mode = mode,
                          .rounding = rounding,
                          .per_channel = per_channel,
                          .multiplier = (1 << 30) + 12345,
                          .shift = mode == LUNA_REQUANT_SHIFT ? 8 : 39,
                          .output_zero_point = -3,
                          .clamp_min = -128,
                          .clamp_max = 127};
  if (mode == LUNA_REQUANT_FLOAT)
    desc.multiplier = 0x3b800000; // 2^-8
  return desc;
}

static void tile(int32_t work, LunaRequantDesc requant) {
  static Product product;
  product = (Product){
      .record = {.host_requant = 1,
                 .output_type = LUNA_TYPE_I8,
                 .output_strides = {COLUMNS * CHANNELS, CHANNELS, 1},
                 .table_strides = {CHANNELS, 1},
                 .channel_step = 1,
                 .requant = requant,
                 .launch_count = 1},
      .launches = {{.tile = {(uint16_t)work, COLUMNS},
                    .out_channels = CHANNELS,
                    .flags = LUNA_LAUNCH_LAST | LUNA_LAUNCH_SUMS}},
  };
  const LunaProductOperands operands = {
      .table = table, .scratch = sums, .output = bytes[2]};
  luna_core_product(&product.record, &operands);
}

static void shift(int32_t work) {
  tile(work, requant_of(LUNA_REQUANT_SHIFT, 0, 0));
}
static void multiplier(int32_t work) {
  tile(work, requant_of(LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_SINGLE, 0));
}
static void multiplier_double(int32_t work) {
  tile(work, requant_of(LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, 0));
}
static void channel(int32_t work) {
  tile(work, requant_of(LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_SINGLE, 1));
}
static void channel_double(int32_t work) {
  tile(work, requant_of(LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, 1));
}
static void scale(int32_t work) {
  tile(work, requant_of(LUNA_REQUANT_FLOAT, 0, 0));
}

static void launch(int32_t work) {
  static Product product;
  product.record.launch_count = work * (LAUNCHES / ROWS);
  const LunaProductOperands operands = {0};
  luna_core_product(&product.record, &operands);
}

static void add(int32_t work) {
  const LunaEltwiseDesc desc = {
      .on_core = 1,
      .kind = LUNA_ELTWISE_ADD,
      .lhs = tensor(work),
      .rhs = tensor(work),
      .output = tensor(work),
      .lhs_zero_point = 3,
      .lhs_multiplier = 1 << 30,
      .lhs_shift = 11,
      .rhs_zero_point = -5,
      .rhs_multiplier = (1 << 30) + 99,
      .rhs_shift = 12,
      .input_rounding = LUNA_ROUND_DOUBLE,
      .requant = requant_of(LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, 0),
  };
  luna_core_eltwise(&desc, bytes[0], bytes[1], bytes[2]);
}

static void average(int32_t work) {
  const LunaPoolDesc desc = {
      .kind = LUNA_POOL_AVERAGE,
      .input = tensor(work),
      .output = tensor(work),
      .kernel = {1, 4},
      .stride = {1, 1},
      .input_zero_point = -4,
      .output_zero_point = 6,
      .tiling = {.host_requant = 1},
  };
  luna_core_pool(&desc, bytes[0], bytes[2]);
}

static void print(const char *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  luna_system_write(1, text, length);
}

int main(void) {
  static const struct {
    const char *line; // name and what ROWS of work are, for bench/cores
    void (*run)(int32_t work);
  } kernels[] = {
      {"launch,64\n", launch},
      {"element, shift,4096\n", shift},
      {"element, multiplier,4096\n", multiplier},
      {"element, multiplier (double rounding),4096\n", multiplier_double},
      {"element, per channel,4096\n", channel},
      {"element, per channel (double rounding),4096\n", channel_double},
      {"element, scale in binary32,4096\n", scale},
      {"element of a scaled sum,4096\n", add},
      {"element of an average of 4,4096\n", average},
  };
  set_up();
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; ++i) {
    print(kernels[i].line);
    luna_bench_mark();
    kernels[i].run(ROWS);
    luna_bench_mark();
    kernels[i].run(2 * ROWS);
    luna_bench_mark();
  }
  return 0;
}
