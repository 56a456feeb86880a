#include <stdbool.h>

#include "check.h"
#include "luna/cost.h"
#include "luna/launch_rules.h"
#include "luna/launches.h"
#include "luna/tiles.h"
#include "luna/tiling.h"
#include "test_machine.h"
#include "tile_random.h"

#include "../src/tiling_choice.h"

enum { SCRATCH_LIMIT = 16384 };

static int64_t scratch_needed(const LunaMachine *machine,
                              const LunaConv2dDesc *desc) {
  LunaLaunchContext context = {
      .machine = machine,
      .has_sums = luna_tiles_conv2d_need_sums(desc),
      .slots = desc->tiling.slots,
      .finish = (LunaFinish)desc->tiling.finish,
  };
  LunaTiles tiles;
  LunaLaunch launch;
  int64_t largest = 0;
  luna_tiles_conv2d_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch)) {
    int64_t elements =
        (int64_t)launch.y.tile.count * launch.x.tile.count * launch.out_c.count;
    largest = elements > largest ? elements : largest;
  }
  return luna_tiling_scratch_bytes(&context, largest, 0);
}

static bool is_legal(const LunaMachine *machine, const LunaConv2dDesc *desc,
                     LunaError *error) {
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch))
    if (!luna_launch_check(machine, &launch, desc->input.type,
                           desc->weight.type, error))
      return false;
  return true;
}

static uint64_t cycles_of(const LunaMachine *machine,
                          const LunaConv2dDesc *desc) {
  LunaCost cost = luna_cost_conv2d(machine, desc);
  return luna_cost_cycles(cost);
}

static void randomise_types(Random *random, LunaConv2dDesc *desc) {
  desc->input.type = random_in(random, LUNA_TYPE_I8, LUNA_TYPE_I32);
  desc->requant = (LunaRequantDesc){
      .mode = random_in(random, LUNA_REQUANT_NONE, LUNA_REQUANT_MULTIPLIER),
      .clamp_min = -128,
      .clamp_max = 127};
  if (desc->requant.mode != LUNA_REQUANT_NONE)
    desc->output.type = LUNA_TYPE_I8;
}

static void check_random_tilings(const LunaMachine *machine, uint64_t seed,
                                 int32_t size, int count) {
  Random random = {.state = seed};
  for (int i = 0; i < count; ++i) {
    LunaConv2dDesc desc = random_conv(&random, size);
    randomise_types(&random, &desc);
    LunaError error = {0};
    if (!luna_tiling_conv2d(machine, &desc, SCRATCH_LIMIT, &desc.tiling,
                            &error))
      CHECK_STR(error.message, "");
    if (!is_legal(machine, &desc, &error))
      CHECK_STR(error.message, "");
    CHECK(desc.tiling.scratch_bytes <= SCRATCH_LIMIT);
    CHECK_EQ(desc.tiling.scratch_bytes, scratch_needed(machine, &desc));
    CHECK_EQ(desc.tiling.finish, desc.requant.mode == LUNA_REQUANT_MULTIPLIER);
  }
}

static void every_convolution_gets_a_legal_tiling(void) {
  LunaMachine machine = test_machine();
  check_random_tilings(&machine, 3, 12, 1500);
}

static void every_convolution_fits_the_real_machines(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_machine_load("venus", NULL, &machine, &error));
  check_random_tilings(&machine, 4, 90, 150);
  CHECK(luna_machine_load("arcs", NULL, &machine, &error));
  check_random_tilings(&machine, 5, 90, 150);
}

static void make_planes(LunaTensorDesc *tensor) {
  const int32_t *dims = tensor->dims;
  const int32_t planes[4] = {dims[1] * dims[2] * dims[3], dims[2], 1,
                             dims[1] * dims[2]};
  for (int i = 0; i < 4; ++i)
    tensor->strides[i] = planes[i];
}

static LunaLaunchRules rules_of(const LunaMachine *machine,
                                const LunaConv2dDesc *desc) {
  LunaArena arena = {0};
  int32_t words = 0;
  LunaLaunchRules broken = 0;
  const LunaProductRecord *record =
      luna_launches_conv2d(desc, &arena, &words, NULL);
  CHECK(record != NULL);
  for (int32_t i = 0; i < record->launch_count; ++i)
    broken |=
        luna_launch_rules(machine, record, &luna_record_launches(record)[i]);
  luna_arena_destroy(&arena);
  return broken & ~(1U << LUNA_RULE_WEIGHTS); // not packed
}

// A convolution within the limits of the machines, on planes.
static LunaConv2dDesc random_planes(const LunaMachine *machine,
                                    Random *random) {
  LunaConv2dDesc desc = {0};
  while (desc.output.dims[1] < 1 || desc.output.dims[2] < 1) {
    int32_t kind = random_in(random, LUNA_CONV_NORMAL, LUNA_CONV_DEPTHWISE);
    int32_t stride = 1 << random_in(random, 0, 2);
    int32_t taps = machine->conv.stride_above_kernel ? 1 : stride;
    const int32_t shape[6] = {
        random_in(random, 1, 70),
        random_in(random, 1, 70),
        random_in(random, 1, 40),
        kind == LUNA_CONV_DEPTHWISE ? 1 : random_in(random, 1, 40),
        random_in(random, taps, 5),
        random_in(random, taps, 5)};
    int32_t pad[4];
    for (int i = 0; i < 4; ++i)
      pad[i] = random_in(random, 0, shape[4 + i / 2] - 1);
    desc = conv_desc(kind, shape, stride, stride, 1, 1, pad);
  }
  make_planes(&desc.input);
  make_planes(&desc.output);
  return desc;
}

// Returns how many of `count` convolutions on planes are calls.
static int count_calls(const LunaMachine *machine, uint64_t seed, int count) {
  Random random = {.state = seed};
  int calls = 0;
  for (int i = 0; i < count; ++i) {
    LunaConv2dDesc desc = random_planes(machine, &random);
    LunaError error = {0};
    desc.tiling.row_strips = luna_tiling_pack(machine, &desc);
    if (!luna_tiling_conv2d(machine, &desc, 1 << 20, &desc.tiling, &error) ||
        !is_legal(machine, &desc, &error))
      CHECK_STR(error.message, "");
    if (desc.tiling.row_strips == 0)
      continue;
    CHECK_EQ(desc.tiling.out_h, desc.output.dims[1]);
    CHECK_EQ(desc.tiling.out_w, desc.output.dims[2]);
    CHECK_EQ(rules_of(machine, &desc), 0);
    ++calls;
  }
  return calls;
}

static void launches_that_are_calls_break_no_rule(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_machine_load("venus", NULL, &machine, &error));
  CHECK(count_calls(&machine, 6, 400) > 350);
  CHECK(luna_machine_load("arcs", NULL, &machine, &error));
  CHECK(count_calls(&machine, 7, 400) > 300);
}

// A convolution of int8 planes, 20 x 20 with so many channels, by kernels of
// three columns.
static LunaConv2dDesc planes_of(int32_t in, int32_t out, int32_t rows) {
  const int32_t shape[6] = {20, 20, in, out, rows, 3};
  const int32_t pad[4] = {rows / 2, rows / 2, 1, 1};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 1, 1, 1, 1, pad);
  desc.requant = (LunaRequantDesc){.mode = LUNA_REQUANT_SHIFT,
                                   .shift = 7,
                                   .clamp_min = -128,
                                   .clamp_max = 127};
  desc.output.type = LUNA_TYPE_I8;
  make_planes(&desc.input);
  make_planes(&desc.output);
  desc.tiling.row_strips = 1;
  return desc;
}

// Each launch of a tile but its first has sums of its own, in a scratch of two
// tiles, and vector calls finish them.
static void expect_own_sums(const LunaMachine *machine, LunaConv2dDesc *desc,
                            int32_t launches) {
  LunaArena arena = {0};
  LunaError error = {0};
  int32_t words = 0;
  CHECK(luna_tiling_conv2d(machine, desc, 1 << 20, &desc->tiling, &error));
  CHECK_EQ(desc->tiling.row_strips, 1);
  CHECK_EQ(desc->tiling.finish, LUNA_FINISH_UNIT);
  CHECK_EQ(rules_of(machine, desc), 0);
  const LunaProductRecord *record =
      luna_launches_conv2d(desc, &arena, &words, &error);
  CHECK_EQ(record->launch_count, launches);
  for (int32_t i = 0; i < launches; ++i) {
    const LunaLaunchRecord *launch = &luna_record_launches(record)[i];
    bool is_first = launch->flags & LUNA_LAUNCH_FIRST;
    CHECK_EQ((launch->flags & LUNA_LAUNCH_OTHER) != 0, !is_first);
    CHECK_EQ(desc->tiling.scratch_bytes, 8 * 400 * desc->tiling.out_c);
  }
  luna_arena_destroy(&arena);
}

static void calls_add_what_no_cut_of_outputs_avoids(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_machine_load("venus", NULL, &machine, &error));
  LunaConv2dDesc wide = planes_of(64, 16, 3);
  CHECK(luna_tiling_conv2d(&machine, &wide, 1 << 20, &wide.tiling, &error));
  CHECK_EQ(wide.tiling.in_c, 64);
  CHECK_EQ(wide.tiling.scratch_bytes, 0);
  machine.conv.weight_buffer_bytes = 32 * 2 * 9;
  wide.tiling = (LunaTiling){.row_strips = 1};
  expect_own_sums(&machine, &wide, 2 * 8);
  LunaConv2dDesc tall = planes_of(1, 2, 5);
  machine.conv.kernel_max = 3;
  expect_own_sums(&machine, &tall, 2);
}

// Packed weights of venusa's depthwise calls have all channels, whose sums are
// in the scratch: not where these take more than half the memory.
static void weights_are_packed_where_their_calls_fit(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_machine_load("venusa", NULL, &machine, &error));
  for (int32_t size = 32; size <= 64; size *= 2) {
    const int32_t shape[6] = {size, size, 32, 1, 3, 3}, pad[4] = {1, 1, 1, 1};
    LunaConv2dDesc desc =
        conv_desc(LUNA_CONV_DEPTHWISE, shape, 1, 1, 1, 1, pad);
    desc.requant = (LunaRequantDesc){.mode = LUNA_REQUANT_MULTIPLIER,
                                     .multiplier = 1 << 30,
                                     .shift = 40,
                                     .clamp_min = -128,
                                     .clamp_max = 127};
    desc.output.type = LUNA_TYPE_I8;
    make_planes(&desc.input);
    make_planes(&desc.output);
    CHECK_EQ(luna_tiling_pack(&machine, &desc), size == 32);
  }
}

// The tilings of the searched family, one by one.
typedef struct Family {
  const LunaMachine *machine;
  LunaConv2dDesc desc;
  uint64_t best_cycles;
  // Once these are known: the least scratch that costs a hundredth more at
  // most, and its cycles.
  bool is_known;
  uint64_t cycles;
  int64_t scratch;
} Family;

static void try_slots(Family *family, int32_t slots) {
  LunaError error;
  family->desc.tiling.slots = slots;
  if (!is_legal(family->machine, &family->desc, &error))
    return;
  int64_t scratch = scratch_needed(family->machine, &family->desc);
  uint64_t cycles = cycles_of(family->machine, &family->desc);
  if (scratch > SCRATCH_LIMIT)
    return;
  if (!family->is_known) {
    if (cycles < family->best_cycles)
      family->best_cycles = cycles;
    return;
  }
  if (cycles > family->best_cycles + family->best_cycles / 100 ||
      scratch > family->scratch ||
      (scratch == family->scratch && cycles >= family->cycles))
    return;
  family->scratch = scratch;
  family->cycles = cycles;
}

static int tile_count(const LunaConv2dDesc *desc) {
  LunaTiles tiles;
  LunaLaunch launch;
  int count = 0;
  luna_tiles_conv2d_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch))
    count += launch.is_last;
  return count;
}

static void try_tiling(Family *family) {
  try_slots(family, 1);
  if (family->desc.tiling.finish == LUNA_FINISH_CORE &&
      tile_count(&family->desc) <= LUNA_SLOTS_TILES_MAX)
    try_slots(family, 2);
}

static void try_channels(Family *family) {
  const LunaOperatorLimits *limits = &family->machine->conv;
  bool is_depthwise = family->desc.kind == LUNA_CONV_DEPTHWISE &&
                      family->desc.input.dims[3] > 1;
  if (is_depthwise)
    limits = &family->machine->depthwise;
  int32_t out[LUNA_TILING_SIZES_MAX], in[LUNA_TILING_SIZES_MAX];
  uint32_t out_count = luna_tiling_sizes(
      is_depthwise ? family->desc.input.dims[3] : family->desc.output.dims[3],
      (int32_t)limits->out_channel_align, true, out);
  uint32_t in_count = luna_tiling_sizes(
      family->desc.input.dims[3], (int32_t)limits->in_channel_align, true, in);
  for (uint32_t o = 0; o < out_count; ++o)
    for (uint32_t i = 0; i < (is_depthwise ? 1 : in_count); ++i) {
      family->desc.tiling.out_c = out[o];
      family->desc.tiling.in_c = in[i];
      try_tiling(family);
    }
}

typedef struct Sizes {
  int32_t tiles[LUNA_TILING_SIZES_MAX], blocks[LUNA_TILING_SIZES_MAX];
  uint32_t tile_count, block_count;
} Sizes;

static Sizes sizes_of(const LunaConv2dDesc *desc, int axis, int32_t align) {
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  int32_t phases = desc->kind == LUNA_CONV_TRANSPOSED ? desc->stride[axis] : 1;
  int32_t kernel = desc->weight.dims[is_depthwise ? axis : 1 + axis];
  int32_t out = desc->output.dims[1 + axis];
  Sizes sizes;
  sizes.tile_count =
      luna_tiling_sizes((out + phases - 1) / phases, align, false, sizes.tiles);
  sizes.block_count =
      luna_tiling_blocks((kernel + phases - 1) / phases, 5, sizes.blocks);
  return sizes;
}

static void try_family(Family *family) {
  Sizes y = sizes_of(&family->desc, 0, 1);
  Sizes x = sizes_of(&family->desc, 1, 4);
  LunaTiling *tiling = &family->desc.tiling;
  for (uint32_t a = 0; a < y.block_count; ++a)
    for (uint32_t b = 0; b < x.block_count; ++b)
      for (uint32_t c = 0; c < y.tile_count; ++c)
        for (uint32_t d = 0; d < x.tile_count; ++d) {
          tiling->kernel_h = y.blocks[a];
          tiling->kernel_w = x.blocks[b];
          tiling->out_h = y.tiles[c];
          tiling->out_w = x.tiles[d];
          try_channels(family);
        }
}

static void no_tiling_of_the_family_is_cheaper(void) {
  LunaMachine machine = test_machine();
  machine.conv.input_buffer_bytes = machine.depthwise.input_buffer_bytes = 512;
  machine.conv.weight_buffer_bytes = 512;
  machine.conv.hold_cycles_per_granule = 2;
  machine.conv.hold_cycles_per_kernel_column = 1;
  machine.conv.hold_cycles_per_channel_step = 13;
  Random random = {.state = 11};
  for (int i = 0; i < 150 / LUNA_TEST_SHARE; ++i) {
    Family family = {.machine = &machine,
                     .desc = random_conv(&random, 9),
                     .best_cycles = UINT64_MAX,
                     .cycles = UINT64_MAX,
                     .scratch = INT64_MAX};
    randomise_types(&random, &family.desc);
    LunaError error = {0};
    LunaTiling tiling;
    CHECK(luna_tiling_conv2d(&machine, &family.desc, SCRATCH_LIMIT, &tiling,
                             &error));
    family.desc.tiling.finish = tiling.finish;
    try_family(&family);
    family.is_known = true;
    try_family(&family);
    family.desc.tiling = tiling;
    CHECK_EQ(cycles_of(&machine, &family.desc), family.cycles);
    CHECK_EQ(tiling.scratch_bytes, family.scratch);
  }
}

static void what_fits_is_one_launch_without_scratch(void) {
  LunaMachine machine = test_machine();
  int32_t shape[6] = {8, 8, 8, 4, 3, 3}, pad[4] = {1, 1, 1, 1};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 1, 1, 1, 1, pad);
  desc.output.type = LUNA_TYPE_I8;
  desc.requant = (LunaRequantDesc){
      .mode = LUNA_REQUANT_SHIFT, .clamp_min = 0, .clamp_max = 127};
  LunaError error = {0};
  CHECK(luna_tiling_conv2d(&machine, &desc, 0, &desc.tiling, &error));
  CHECK_EQ(desc.tiling.scratch_bytes, 0);
  CHECK_EQ(desc.tiling.finish, 0);
  CHECK_EQ(luna_cost_conv2d(&machine, &desc).launches, 1);
}

static void a_large_kernel_is_cut_into_legal_ones(void) {
  LunaMachine machine = test_machine();
  int32_t shape[6] = {20, 20, 3, 4, 11, 11}, pad[4] = {2, 2, 2, 2};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 4, 4, 1, 1, pad);
  LunaError error = {0};
  CHECK(
      luna_tiling_conv2d(&machine, &desc, SCRATCH_LIMIT, &desc.tiling, &error));
  CHECK(desc.tiling.kernel_h <= 5 && desc.tiling.kernel_w <= 5);
  CHECK(is_legal(&machine, &desc, &error));
}

static void too_little_scratch_is_refused_with_the_least_possible(void) {
  LunaMachine machine = test_machine();
  int32_t shape[6] = {8, 8, 8, 4, 3, 3}, pad[4] = {1, 1, 1, 1};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 1, 1, 1, 1, pad);
  desc.output.type = LUNA_TYPE_I8;
  desc.requant.mode = LUNA_REQUANT_MULTIPLIER;
  LunaError error = {0};
  CHECK(!luna_tiling_conv2d(&machine, &desc, 15, &desc.tiling, &error));
  CHECK_EQ(error.code, LUNA_ERROR_CAPACITY);
  CHECK_STR(error.message, "needs 16 bytes of scratch, allowed are 15");
  CHECK(luna_tiling_conv2d(&machine, &desc, 16, &desc.tiling, &error));
  CHECK_EQ(desc.tiling.scratch_bytes, 16);
}

static void malformed_operators_are_refused(void) {
  LunaMachine machine = test_machine();
  int32_t shape[6] = {8, 8, 8, 4, 3, 3}, pad[4] = {1, 1, 1, 1};
  LunaConv2dDesc good = conv_desc(LUNA_CONV_NORMAL, shape, 1, 1, 1, 1, pad);
  LunaConv2dDesc desc = good;
  LunaTiling tiling;
  LunaError error = {0};
  desc.input.dims[3] = 7;
  CHECK(!luna_tiling_conv2d(&machine, &desc, 1024, &tiling, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
  desc = good;
  desc.output.dims[1] = 0;
  CHECK(!luna_tiling_conv2d(&machine, &desc, 1024, &tiling, &error));
  desc = good;
  desc.stride[1] = 0;
  CHECK(!luna_tiling_conv2d(&machine, &desc, 1024, &tiling, &error));
  desc = good;
  desc.input.type = LUNA_TYPE_F32;
  CHECK(!luna_tiling_conv2d(&machine, &desc, 1024, &tiling, &error));
  desc = good;
  desc.kind = LUNA_CONV_TRANSPOSED;
  desc.dilation[0] = 2;
  CHECK(!luna_tiling_conv2d(&machine, &desc, 1024, &tiling, &error));
}

static void check_matmul(const LunaMachine *machine, LunaMatmulDesc *desc) {
  LunaError error = {0};
  CHECK(
      luna_tiling_matmul(machine, desc, SCRATCH_LIMIT, &desc->tiling, &error));
  CHECK(desc->tiling.scratch_bytes <= SCRATCH_LIMIT);
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_matmul_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch))
    if (!luna_launch_check(machine, &launch, desc->lhs.type, desc->rhs.type,
                           &error))
      CHECK_STR(error.message, "");
}

static void every_matrix_product_gets_a_legal_tiling(void) {
  LunaMachine machine = test_machine();
  Random random = {.state = 5};
  for (int i = 0; i < 300 / LUNA_TEST_SHARE; ++i) {
    int32_t batches = random_in(&random, 1, 3);
    int32_t rows = random_in(&random, 1, 40);
    int32_t depth = random_in(&random, 1, 900);
    int32_t columns = random_in(&random, 1, 120);
    bool is_transposed = random_in(&random, 0, 1) == 1;
    LunaMatmulDesc desc = {
        .rhs_transposed = is_transposed,
        .lhs = tensor_desc(LUNA_TYPE_I8, 1, batches, rows, depth),
        .rhs = is_transposed
                   ? tensor_desc(LUNA_TYPE_I8, 1, batches, columns, depth)
                   : tensor_desc(LUNA_TYPE_I8, 1, batches, depth, columns),
        .output = tensor_desc(LUNA_TYPE_I8, 1, batches, rows, columns),
        .requant = {.mode = random_in(&random, 0, 2)}};
    check_matmul(&machine, &desc);
  }
}

static void sizes_are_sorted_and_reach_the_smallest(void) {
  int32_t sizes[LUNA_TILING_SIZES_MAX];
  static const int32_t extents[] = {1, 7, 64, 1000, 65536, INT32_MAX};
  for (size_t k = 0; k < sizeof extents / sizeof extents[0]; ++k)
    for (int32_t align = 1; align <= 16; align *= 2) {
      uint32_t count = luna_tiling_sizes(extents[k], align, false, sizes);
      CHECK(count < LUNA_TILING_SIZES_MAX);
      CHECK_EQ(sizes[0], extents[k]);
      CHECK_EQ(sizes[count - 1], 1);
      for (uint32_t i = 1; i < count; ++i)
        CHECK(sizes[i] < sizes[i - 1]);
      count = luna_tiling_sizes(extents[k], align, true, sizes);
      CHECK_EQ(sizes[count - 1], align < extents[k] ? align : extents[k]);
    }
}

int main(void) {
  RUN_TEST(every_convolution_gets_a_legal_tiling);
  RUN_TEST(every_convolution_fits_the_real_machines);
  RUN_TEST(launches_that_are_calls_break_no_rule);
  RUN_TEST(calls_add_what_no_cut_of_outputs_avoids);
  RUN_TEST(weights_are_packed_where_their_calls_fit);
  RUN_TEST(no_tiling_of_the_family_is_cheaper);
  RUN_TEST(what_fits_is_one_launch_without_scratch);
  RUN_TEST(a_large_kernel_is_cut_into_legal_ones);
  RUN_TEST(too_little_scratch_is_refused_with_the_least_possible);
  RUN_TEST(malformed_operators_are_refused);
  RUN_TEST(every_matrix_product_gets_a_legal_tiling);
  RUN_TEST(sizes_are_sorted_and_reach_the_smallest);
  return 0;
}
