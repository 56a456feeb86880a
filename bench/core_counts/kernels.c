// Small kernels of device_runtime/ on a chip's core, for bench/cores: each runs
// on some work and on twice as much, or on none and some, with a mark before
// and after, and prints a line: its name, and how often each cost of machine
// files is in the difference. What is counted is device_runtime/ alone, neither
// the calls here nor the unit below, which is none.

#include "luna/chain_cost.h"
#include "luna/core.h"
#include "luna/core_cost.h"
#include "system.h"

enum { CHANNELS = 64, COLUMNS = 8, ROWS = 8, LAUNCHES = 64 };

static int32_t sums[2 * ROWS * COLUMNS * CHANNELS];
static int8_t bytes[3][4 * ROWS * COLUMNS * CHANNELS];
static int32_t table[2][CHANNELS];
static int marks_await;

// The plugin knows this address.
__attribute__((noinline)) void luna_bench_mark(void) { __asm__ volatile(""); }

void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands) {
  (void)record;
  (void)launch;
  (void)operands;
  for (int i = 0; i < 3 * marks_await; ++i)
    luna_bench_mark();
}

void luna_unit_await(void) {
  if (marks_await)
    luna_bench_mark();
}

int32_t luna_unit_start_transfer(const LunaDmaDesc *desc, void *target,
                                 const void *source) {
  (void)desc, (void)target, (void)source;
  return 1;
}

void luna_unit_await_transfer(int32_t token) { (void)token; }

static void ignore(const void *desc, ...) { (void)desc; }

// The kernels leave nothing else to it.
#define LUNA_UNIT_START(CLASS, name, Type, parameters, arguments)              \
  void luna_unit_start_##name(const Luna##Type##Desc *desc,                    \
                              LUNA_UNIT_LIST parameters) {                     \
    ignore(desc, LUNA_UNIT_LIST arguments);                                    \
  }
#include "luna/units.def"

void luna_unit_start_vector(const LunaVectorCall *call,
                            const LunaVectorOperands *operands) {
  (void)call, (void)operands;
}

void luna_unit_start_copy(const LunaCopyDesc *desc, const void *source,
                          void *target) {
  (void)desc, (void)source, (void)target;
}

void luna_unit_start_fill(const LunaFillDesc *desc, void *target) {
  (void)desc, (void)target;
}

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

static LunaTensorDesc tensor(int32_t type, int32_t rows, int32_t channels) {
  return (LunaTensorDesc){
      .type = type,
      .dims = {1, rows, COLUMNS, channels},
      .strides = {rows * COLUMNS * channels, COLUMNS * channels, channels, 1}};
}

//===- Kernels ------------------------------------------------------------===//
// Each does `work` of something, and `costs` says what that is by the costs of
// machine files, of which one at a time is 1 and all others are 0.

static LunaMachine machine;

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

// Tiles of `rows` * COLUMNS * `channels`, with a `gap` between rows of
// channels, or, of planes, between rows.
typedef struct Tiles {
  LunaRequantDesc requant;
  int32_t count, rows, channels, gap;
  int32_t has_planes;
  int32_t by_calls; // LunaFinish of vector calls, or 0
} Tiles;

// The strides of y, x and channel.
static void set_strides(const Tiles *tiles, int32_t strides[3]) {
  int32_t row = COLUMNS + tiles->gap;
  strides[0] = tiles->has_planes ? row : COLUMNS * CHANNELS;
  strides[1] = tiles->has_planes ? 1 : tiles->channels + tiles->gap;
  strides[2] = tiles->has_planes ? 2 * ROWS * row : 1;
}

static int32_t finish_of_tiles(const Tiles *tiles) {
  return tiles->by_calls   ? tiles->by_calls
         : tiles->rows > 0 ? LUNA_FINISH_CORE
                           : LUNA_FINISH_FUSED;
}

// Writes the vector calls behind the launches.
static void finish_by_calls(LunaProductRecord *record) {
  LunaVectorChain chain;
  luna_chain_of_product(&chain, record->finish, &record->requant,
                        record->output_type);
  record->call_count = chain.count;
  LunaVectorCall *to = (LunaVectorCall *)(uintptr_t)luna_record_calls(record);
  for (int32_t i = 0; i < chain.count; ++i)
    to[i] = chain.calls[i];
}

static uint64_t finish_cost(const Tiles *tiles, const int32_t strides[3]) {
  const int32_t extents[] = {tiles->rows, COLUMNS, tiles->channels};
  LunaVectorChain chain;
  luna_chain_of_product(&chain, finish_of_tiles(tiles), &tiles->requant,
                        LUNA_TYPE_I8);
  return luna_chain_tile_cost(&machine, &chain, strides, extents).host_cycles;
}

static void run_tiles(const Tiles *tiles) {
  static struct {
    LunaProductRecord record;
    LunaLaunchRecord launches[2 * LAUNCHES + 8]; // calls behind them
  } product;
  product.record = (LunaProductRecord){.finish = finish_of_tiles(tiles),
                                       .output_type = LUNA_TYPE_I8,
                                       .table_strides = {CHANNELS, 1},
                                       .channel_step = 1,
                                       .requant = tiles->requant,
                                       .launch_count = tiles->count};
  set_strides(tiles, product.record.output_strides);
  for (int32_t i = 0; i < tiles->count; ++i)
    product.launches[i] =
        (LunaLaunchRecord){.tile = {(uint16_t)tiles->rows, COLUMNS},
                           .out_channels = (uint16_t)tiles->channels,
                           .flags = LUNA_LAUNCH_LAST | LUNA_LAUNCH_SUMS};
  if (tiles->by_calls)
    finish_by_calls(&product.record);
  const LunaProductOperands operands = {
      .table = table, .scratch = sums, .output = bytes[2]};
  if (!marks_await)
    luna_bench_mark();
  luna_core_product(&product.record, &operands);
  if (!marks_await)
    luna_bench_mark();
}

static uint64_t tiles_cost(const Tiles *tiles) {
  int32_t strides[3];
  set_strides(tiles, strides);
  const LunaCoreTile tile = luna_core_tile(&tiles->requant, strides);
  uint64_t cycles = luna_core_launch_cycles(&machine);
  if (tiles->by_calls)
    cycles += finish_cost(tiles, strides);
  else if (tiles->rows > 0)
    cycles += luna_core_tile_cycles(&machine, &tile, (uint64_t)tiles->rows,
                                    COLUMNS, (uint64_t)tiles->channels);
  return cycles * (uint64_t)tiles->count;
}

static void run_sum(const LunaEltwiseDesc *desc) {
  luna_bench_mark();
  luna_core_eltwise(desc, bytes[0], bytes[1], 0, bytes[2]);
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
      .lhs = tensor(scales->type, rows, channels - each.padding),
      .rhs = tensor(scales->type, rows, channels),
      .output = tensor(LUNA_TYPE_I8, rows, channels),
      .lhs_zero_point = 3,
      .lhs_multiplier = scales->multipliers[0],
      .lhs_shift = scales->shift,
      .rhs_zero_point = -5,
      .rhs_multiplier = scales->multipliers[1],
      .rhs_shift = scales->shift,
      .input_rounding = scales->rounding,
      .requant = requant_of(LUNA_REQUANT_MULTIPLIER, scales->rounding, 0),
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
  luna_core_eltwise(desc, bytes[0], bytes[1], sums, bytes[2]);
  luna_bench_mark();
}

static uint64_t chain_cost(const LunaEltwiseDesc *desc) {
  LunaEltwiseChain chain;
  luna_eltwise_has_chain(desc, &chain);
  return luna_eltwise_chain_cost(&machine, desc, &chain).host_cycles;
}

// An activation by table, with a gap between rows of the output.
static LunaTableDesc look_up_of(int32_t rows, int32_t channels, int32_t gap) {
  LunaTableDesc desc = {
      .on_core = 1,
      .input = tensor(LUNA_TYPE_I8, rows, channels),
      .table = {.dims = {1, 1, 1, 256}, .strides = {256, 256, 256, 1}},
      .output = tensor(LUNA_TYPE_I8, rows, channels),
  };
  desc.output.strides[1] += gap;
  return desc;
}

static void run_look_up(const LunaTableDesc *desc) {
  luna_bench_mark();
  luna_core_table(desc, bytes[0], bytes[1], bytes[2]);
  luna_bench_mark();
}

static void run_average(const LunaPoolDesc *desc) {
  luna_bench_mark();
  luna_core_pool(desc, bytes[0], bytes[2]);
  luna_bench_mark();
}

// Averages over windows of `kernel`, `pad` around each side, of `count` images.
static LunaPoolDesc average_of(int32_t count, int32_t rows, int32_t channels,
                               int32_t kernel, int32_t stride, int32_t pad) {
  const int32_t out_rows = (rows + 2 * pad - kernel) / stride + 1;
  const int32_t out_columns = (COLUMNS + 2 * pad - kernel) / stride + 1;
  LunaPoolDesc desc = {
      .kind = LUNA_POOL_AVERAGE,
      .input = tensor(LUNA_TYPE_I8, rows, channels),
      .output = tensor(LUNA_TYPE_I8, out_rows, channels),
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

//===- All of it ----------------------------------------------------------===//

static char line[1024];
static size_t length;

static void add_text(const char *text) {
  while (*text)
    line[length++] = *text++;
}

static void add_number(uint64_t number) {
  char digits[20];
  int count = 0;
  do
    digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  line[length++] = ' ';
  while (count > 0)
    line[length++] = digits[--count];
}

// Prints a line: its name, and the work, an expression, cost by cost.
#define PRINT_COSTS(name, work)                                                \
  do {                                                                         \
    length = 0;                                                                \
    add_text(name);                                                            \
    add_text(":");                                                             \
    for (int i = 0; i < LUNA_HOST_COST_COUNT; ++i) {                           \
      machine.host[i] = 100;                                                   \
      add_number(work);                                                        \
      machine.host[i] = 0;                                                     \
    }                                                                          \
    add_text("\n");                                                            \
    luna_system_write(1, line, length);                                        \
  } while (0)

// The unit's cost the core a call.
static uint64_t sum_cost(const LunaEltwiseDesc *desc) {
  if (!desc->on_core)
    return luna_core_call_cycles(&machine, LUNA_HOST_VECTOR);
  return luna_core_eltwise_cycles(&machine, desc);
}
static uint64_t table_cost(const LunaTableDesc *desc) {
  return luna_core_table_cycles(&machine, desc);
}
static uint64_t average_cost(const LunaPoolDesc *desc) {
  return luna_core_average_cycles(&machine, desc);
}

static void count_tiles(const char *name, Tiles once, Tiles twice) {
  run_tiles(&once);
  run_tiles(&twice);
  PRINT_COSTS(name, tiles_cost(&twice) - tiles_cost(&once));
}

// Rows of tiles, long and short ones, and rows with gaps between them.
static void count_mode(const char *name, LunaRequantDesc requant) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 2)
    for (int32_t gap = 0; gap < 2; ++gap) {
      Tiles once = {requant, 1, ROWS, channels, gap, 0, 0}, twice = once;
      twice.rows = 2 * ROWS;
      count_tiles(name, once, twice);
    }
}

// Planes, whole ones and rows with gaps between them.
static void count_planes(const char *name, LunaRequantDesc requant) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 2)
    for (int32_t gap = 0; gap < 2; ++gap) {
      Tiles once = {requant, 1, ROWS, channels, gap, 1, 0}, twice = once;
      twice.rows = 2 * ROWS;
      count_tiles(name, once, twice);
      once.channels /= 2;
      count_tiles(name, once, twice);
    }
}

static void count_launches(void) {
  const LunaRequantDesc shift = requant_of(LUNA_REQUANT_SHIFT, 0, 0);
  const LunaRequantDesc channel = requant_of(LUNA_REQUANT_MULTIPLIER, 0, 1);
  for (int32_t rows = 0; rows < 3; ++rows)
    for (int32_t channels = 8; channels <= 32; channels *= 4) {
      Tiles once = {shift, LAUNCHES, rows, channels, 0, 0, 0}, twice = once;
      twice.count = 2 * LAUNCHES;
      count_tiles(rows ? "tile" : "launch", once, twice);
      once.requant = twice.requant = channel;
      count_tiles(rows ? "tile, per channel" : "launch", once, twice);
    }
}

static void count_calls_of(const char *name, Tiles once) {
  Tiles twice = once;
  twice.count = 2 * LAUNCHES;
  count_tiles(name, once, twice);
}

// Tiles that vector calls finish, in one run of results and in several.
static void count_finishes(void) {
  const LunaRequantDesc tensor = requant_of(LUNA_REQUANT_MULTIPLIER, 1, 0);
  const LunaRequantDesc channel = requant_of(LUNA_REQUANT_MULTIPLIER, 1, 1);
  for (int32_t rows = 1; rows < 3; ++rows)
    for (int32_t channels = 8; channels <= 32; channels *= 2)
      for (int32_t gap = 0; gap < 2; ++gap) {
        Tiles once = {tensor, LAUNCHES,        rows, channels, gap,
                      0,      LUNA_FINISH_UNIT};
        count_calls_of("tile by vector calls", once);
        once.requant = channel;
        count_calls_of("tile by vector calls, per channel", once);
        once.has_planes = 1;
        once.by_calls = LUNA_FINISH_PLANES;
        count_calls_of("planes by vector calls", once);
        once.by_calls = LUNA_FINISH_STRIPS;
        count_calls_of("strips by vector calls", once);
      }
}

// From the end of a start to the await, marked by the unit.
static void count_await(void) {
  const Tiles launch = {requant_of(LUNA_REQUANT_SHIFT, 0, 0), 1, 0, 8, 0, 0, 0};
  marks_await = 1;
  run_tiles(&launch);
  marks_await = 0;
  PRINT_COSTS("await", luna_core_cycles(&machine, LUNA_HOST_AWAIT, 1));
}

// One tile, beside a launch that leaves none.
static void count_requants(void) {
  for (int32_t channels = 8; channels <= 32; channels *= 2) {
    Tiles once = {
        requant_of(LUNA_REQUANT_SHIFT, 0, 0), 1, 0, channels, 0, 0, 0};
    Tiles twice = once;
    twice.rows = 1;
    run_tiles(&once);
    run_tiles(&twice);
    PRINT_COSTS("requantised operator",
                tiles_cost(&twice) - tiles_cost(&once) +
                    luna_core_cycles(&machine, LUNA_HOST_REQUANT, 1));
  }
}

static void count_sum(const char *name, const Scales *scales, int32_t rows,
                      Rows each) {
  LunaEltwiseDesc once = sum_of(scales, rows, each);
  LunaEltwiseDesc twice = sum_of(scales, 2 * ROWS, each);
  run_sum(&once);
  run_sum(&twice);
  PRINT_COSTS(name, sum_cost(&twice) - sum_cost(&once));
}

// Of no element, beside one of the unit.
static void count_empty_sum(void) {
  const Scales scales = {LUNA_TYPE_I8, 0, {1 << 30, (1 << 30) + 12345}, 12};
  LunaEltwiseDesc twice = sum_of(&scales, 0, (Rows){CHANNELS, 0, 0});
  LunaEltwiseDesc once = twice;
  once.on_core = 0;
  run_sum(&once);
  run_sum(&twice);
  PRINT_COSTS("sum of nothing", sum_cost(&twice) - sum_cost(&once));
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
    PRINT_COSTS(name, chain_cost(&twice) - chain_cost(&once));
  }
}

// All of one, beside a sum of the unit's.
static void count_whole_chain(const char *name, Scales scales) {
  LunaEltwiseDesc twice = chain_of(&scales, 4, 4), once = twice;
  once.scratch.dims[3] = 0;
  run_sum(&once);
  run_calls(&twice);
  PRINT_COSTS(name, chain_cost(&twice) - sum_cost(&once));
}

// More rows, and rows that are longer.
static void count_tables(void) {
  for (int32_t channels = 2; channels <= CHANNELS / 2; channels *= 4)
    for (int32_t gap = 0; gap < 2; ++gap) {
      LunaTableDesc once = look_up_of(ROWS, channels, gap);
      LunaTableDesc more = look_up_of(2 * ROWS, channels, gap);
      run_look_up(&once);
      run_look_up(&more);
      PRINT_COSTS("table", table_cost(&more) - table_cost(&once));
      more = look_up_of(ROWS, 2 * channels, gap);
      run_look_up(&once);
      run_look_up(&more);
      PRINT_COSTS("table", table_cost(&more) - table_cost(&once));
    }
}

static void count_average(int32_t rows, int32_t channels, int32_t kernel,
                          int32_t stride, int32_t pad) {
  LunaPoolDesc once = average_of(1, rows, channels, kernel, stride, pad);
  LunaPoolDesc twice = average_of(2, rows, channels, kernel, stride, pad);
  run_average(&once);
  run_average(&twice);
  PRINT_COSTS("average", average_cost(&twice) - average_cost(&once));
}

// Of all places, of windows side by side, and of those that overlap and reach
// over the sides.
static void count_averages(void) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 2) {
    count_average(4, channels, 4, 4, 0);
    count_average(ROWS, channels, ROWS, 1, 0);
    count_average(ROWS, channels, 2, 2, 0);
    count_average(ROWS, channels, 3, 1, 0);
    count_average(ROWS, channels, 3, 1, 1);
  }
}

static void run_nothing(void) {
  luna_bench_mark();
  luna_bench_mark();
}

// A small operator as a whole.
static void count_calls(void) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 8) {
    const LunaPoolDesc pool = average_of(1, 4, channels, 4, 4, 0);
    run_nothing();
    run_average(&pool);
    PRINT_COSTS("call of an average",
                average_cost(&pool) -
                    luna_core_cycles(&machine, LUNA_HOST_CALL, 1));
    const LunaTableDesc look_up = look_up_of(1, channels, 0);
    run_nothing();
    run_look_up(&look_up);
    PRINT_COSTS("call of a table",
                table_cost(&look_up) -
                    luna_core_cycles(&machine, LUNA_HOST_CALL, 1));
  }
}

#define COUNT_CALL(name, call, cost)                                           \
  do {                                                                         \
    run_nothing();                                                             \
    luna_bench_mark();                                                         \
    call;                                                                      \
    luna_bench_mark();                                                         \
    PRINT_COSTS(name, luna_core_cycles(&machine, cost, 1));                    \
  } while (0)

static void count_unit_calls(void) {
  const Scales scales = {LUNA_TYPE_I8, 0, {0, 0}, 0};
  const LunaCopyDesc copy = {0};
  const LunaFillDesc fill = {0};
  const LunaTableDesc by_table = {0};
  const LunaPoolDesc pool = {0};
  LunaEltwiseDesc sum = sum_of(&scales, 1, (Rows){CHANNELS, 0, 0});
  sum.on_core = 0;
  int8_t *a = bytes[0], *b = bytes[1], *c = bytes[2];
  COUNT_CALL("copy", luna_core_copy(&copy, a, b), LUNA_HOST_COPY);
  COUNT_CALL("fill", luna_core_fill(&fill, a), LUNA_HOST_COPY);
  COUNT_CALL("table", luna_core_table(&by_table, a, b, c), LUNA_HOST_COPY);
  COUNT_CALL("pool", luna_core_pool(&pool, a, b), LUNA_HOST_POOL);
  COUNT_CALL("vector", luna_core_eltwise(&sum, a, b, 0, c), LUNA_HOST_VECTOR);
}

static void count_modes(void) {
  const int32_t multiplier = LUNA_REQUANT_MULTIPLIER;
  LunaRequantDesc small = requant_of(multiplier, 0, 0);
  LunaRequantDesc left = requant_of(LUNA_REQUANT_SHIFT, 0, 0);
  small.shift = 32;
  left.shift = 0;
  count_mode("shift", requant_of(LUNA_REQUANT_SHIFT, 0, 0));
  count_mode("multiplier", requant_of(multiplier, 0, 0));
  count_mode("multiplier, double rounding", requant_of(multiplier, 1, 0));
  count_planes("planes", requant_of(multiplier, 0, 1));
  count_planes("planes, double rounding", requant_of(multiplier, 1, 1));
  count_mode("per channel", requant_of(multiplier, 0, 1));
  count_mode("per channel, double rounding", requant_of(multiplier, 1, 1));
  count_mode("small shift", small);
  count_mode("shift to the left", left);
  count_mode("scale", requant_of(LUNA_REQUANT_FLOAT, 0, 0));
  count_mode("unscaled", requant_of(LUNA_REQUANT_NONE, 0, 0));
}

int main(void) {
  set_up();
  count_launches();
  count_finishes();
  count_await();
  count_requants();
  count_modes();
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
  const Scales any = {LUNA_TYPE_I8, 0, {one, other}, 14};
  const Scales plain = {LUNA_TYPE_I8, 0, {0, 0}, 0};
  count_chain("sum by vector calls", any);
  count_chain("sum by vector calls, not scaled", plain);
  count_whole_chain("whole sum by vector calls", any);
  count_whole_chain("whole sum by vector calls, not scaled", plain);
  count_tables();
  count_averages();
  count_calls();
  count_unit_calls();
  return 0;
}
