#include "check.h"
#include "luna/border.h"
#include "luna/cost.h"
#include "luna/finish.h"
#include "luna/tiling.h"
#include "test_machine.h"
#include "tile_random.h"

#include "../src/launch_cost.h"

static const int32_t no_pad[4] = {0, 0, 0, 0};
static const int32_t pad_one[4] = {1, 1, 1, 1};

static LunaConv2dDesc conv_8x8x8_to_4(int32_t kernel, const int32_t pad[4]) {
  int32_t shape[6] = {8, 8, 8, 4, kernel, kernel};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 1, 1, 1, 1, pad);
  desc.output.type = LUNA_TYPE_I8;
  return desc;
}

static void one_launch_reads_computes_and_writes(void) {
  LunaMachine machine = test_machine();
  LunaConv2dDesc desc = conv_8x8x8_to_4(1, no_pad);
  LunaCost cost = luna_cost_conv2d(&machine, &desc);
  // 512 bytes in, 32 of weights, 2048 products (256 bytes out take 16 cycles).
  CHECK_EQ(cost.unit_cycles, 1350 + 512 / 8 + 32 / 8 + 2048 / 64);
  CHECK_EQ(cost.launches, 1);
  CHECK_EQ(cost.host_cycles, 1000 + 10);
}

static void wide_results_take_longer_to_write_and_to_requantise(void) {
  LunaMachine machine = test_machine();
  LunaConv2dDesc desc = conv_8x8x8_to_4(1, no_pad);
  desc.tiling.finish = 1;
  LunaCost cost = luna_cost_conv2d(&machine, &desc);
  CHECK_EQ(cost.unit_cycles, 1350 + 64 + 4 + 1024 / 16);
  CHECK_EQ(cost.host_cycles, 1000 + 10 + 256 * 2);
}

static void a_second_tile_reads_its_halo_and_launches_cheaper(void) {
  LunaMachine machine = test_machine();
  LunaConv2dDesc desc = conv_8x8x8_to_4(3, pad_one);
  CHECK_EQ(luna_cost_conv2d(&machine, &desc).unit_cycles, 1350 + 64 + 36 + 288);
  desc.tiling.out_h = 4;
  LunaCost cost = luna_cost_conv2d(&machine, &desc);
  // Each tile reads 5 rows.
  CHECK_EQ(cost.unit_cycles, 300 + 2 * (1050 + 320 / 8 + 36 + 144));
  CHECK_EQ(cost.launches, 2);
  CHECK_EQ(cost.host_cycles, 1000 + 20);
}

static void partial_sums_cost_vector_launches(void) {
  LunaMachine machine = test_machine();
  LunaConv2dDesc desc = conv_8x8x8_to_4(3, pad_one);
  desc.tiling.kernel_w = 1;
  LunaCost cost = luna_cost_conv2d(&machine, &desc);
  // Three blocks of 3 x 1 taps, of which only the middle one reaches the whole
  // tile: fill, three additions, conversion.
  uint64_t launches = 3 * (1050 + 512 / 8 + 96 / 8 + 96);
  uint64_t sums = (350 + 1024 / 8) + 2 * (534 + 896 / 8) + (534 + 1024 / 8) +
                  (534 + 1024 / 8);
  CHECK_EQ(cost.unit_cycles, 300 + launches + sums);
  CHECK_EQ(cost.launches, 8);
}

static void input_channel_blocks_are_added_up(void) {
  LunaMachine machine = test_machine();
  int32_t shape[6] = {4, 4, 16, 4, 1, 1};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 1, 1, 1, 1, no_pad);
  desc.tiling.in_c = 8;
  LunaCost cost = luna_cost_conv2d(&machine, &desc);
  // 128 bytes in, 32 of weights, 256 bytes of 32-bit results = 16 cycles.
  uint64_t launches = 2 * (1050 + 16 + 4 + 16);
  CHECK_EQ(cost.unit_cycles, 300 + launches + 2 * (534 + 256 / 8));
  CHECK_EQ(cost.launches, 4);
}

static void depthwise_runs_at_its_own_rate(void) {
  LunaMachine machine = test_machine();
  int32_t shape[6] = {8, 8, 16, 1, 3, 3};
  LunaConv2dDesc desc =
      conv_desc(LUNA_CONV_DEPTHWISE, shape, 1, 1, 1, 1, pad_one);
  desc.output.type = LUNA_TYPE_I8;
  LunaCost cost = luna_cost_conv2d(&machine, &desc);
  CHECK_EQ(cost.unit_cycles, 1280 + 1024 / 8 + 144 / 8 + 64 * 16 * 9 / 8);
}

static void the_array_waits_for_each_granule(void) {
  LunaMachine machine = test_machine();
  machine.conv.hold_cycles_per_granule = 2;
  machine.conv.hold_cycles_per_kernel_column = 1;
  machine.conv.hold_cycles_per_channel_step = 13;
  machine.matmul.hold_cycles_per_granule = 16;
  LunaConv2dDesc desc = conv_8x8x8_to_4(3, pad_one);
  // Two channel steps of 8 rows of two granules each.
  CHECK_EQ(luna_cost_conv2d(&machine, &desc).unit_cycles,
           1350 + 64 + 36 + 288 + 2 * (8 * 2 * (2 + 3) + 13));
  LunaMatmulDesc product = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 3, 8),
                            .rhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 8, 4),
                            .output = tensor_desc(LUNA_TYPE_I8, 1, 1, 3, 4)};
  CHECK_EQ(luna_cost_matmul(&machine, &product).unit_cycles,
           2255 + 32 / 8 + 32 / 8 + 4 * 8 * 4 / 64 + 2 * 16);
}

static void wider_elements_compute_slower(void) {
  LunaMachine machine = test_machine();
  LunaConv2dDesc desc = conv_8x8x8_to_4(1, no_pad);
  desc.input.type = LUNA_TYPE_I16;
  CHECK_EQ(luna_cost_conv2d(&machine, &desc).unit_cycles,
           1350 + 1024 / 8 + 32 / 8 + 2048 / 16);
}

static void matrix_product_aligns_rows_depth_and_columns(void) {
  LunaMachine machine = test_machine();
  LunaMatmulDesc desc = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 60),
                         .rhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 60, 10),
                         .output = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 10)};
  LunaCost cost = luna_cost_matmul(&machine, &desc);
  // 2 x 64 on the left, 64 x 12 on the right.
  CHECK_EQ(cost.unit_cycles, 2255 + 128 / 8 + 768 / 8 + 2 * 64 * 12 / 64);
  CHECK_EQ(cost.host_cycles, 1000 + 10);
}

static void eltwise_runs_on_the_unit_or_on_the_core(void) {
  LunaMachine machine = test_machine();
  LunaEltwiseDesc desc = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 8, 8),
                          .rhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 8, 8),
                          .output = tensor_desc(LUNA_TYPE_I8, 1, 1, 8, 8),
                          .requant = {.mode = LUNA_REQUANT_SHIFT,
                                      .clamp_min = -128,
                                      .clamp_max = 127}};
  CHECK(luna_eltwise_is_native(&machine, &desc));
  LunaCost cost = luna_cost_eltwise(&machine, &desc);
  CHECK_EQ(cost.unit_cycles, 534 + 64 / 8);
  CHECK_EQ(cost.host_cycles, 10);
  CHECK_EQ(cost.launches, 1);
  // The channels that an input has not are a launch of their own.
  desc.rhs.dims[3] = 6;
  cost = luna_cost_eltwise(&machine, &desc);
  CHECK_EQ(cost.unit_cycles, 2 * 534 + 64 / 8);
  CHECK_EQ(cost.host_cycles, 10);
  CHECK_EQ(cost.launches, 2);
  desc.rhs.dims[3] = 1;
  CHECK_EQ(luna_eltwise_launches(&desc), 1);
  desc.lhs_multiplier = desc.rhs_multiplier = 1 << 30;
  desc.requant.mode = LUNA_REQUANT_MULTIPLIER;
  CHECK(!luna_eltwise_is_native(&machine, &desc));
  cost = luna_cost_eltwise(&machine, &desc);
  CHECK_EQ(cost.unit_cycles, 0);
  CHECK_EQ(cost.host_cycles, 64 * (2 + 1));
  desc.rhs_multiplier += 1; // not of 16 bits
  CHECK_EQ(luna_cost_eltwise(&machine, &desc).host_cycles, 64 * (2 + 1 + 2));
}

// Returns the scratch for shifts, not for a chain.
static int64_t shift_bytes(const LunaMachine *machine,
                           const LunaEltwiseDesc *desc, int64_t limit_bytes) {
  return luna_finish_eltwise_bytes(machine, desc, LUNA_PLACE_CORE, limit_bytes);
}

// Operands shifted by the unit: a scratch of 4,096 bytes makes two pieces.
static void shifts_are_launches(void) {
  LunaMachine machine = test_machine();
  machine.host[LUNA_HOST_SHIFTS] = 70000;
  machine.host[LUNA_HOST_SHIFTS_OPERAND] = 20000;
  machine.host[LUNA_HOST_SHIFTS_PIECE] = 5000;
  machine.host[LUNA_HOST_SHIFTS_LAUNCH] = 10000;
  machine.host[LUNA_HOST_ELTWISE] = 70000;
  machine.host[LUNA_HOST_DEEP_SCALE] = 200;
  LunaEltwiseDesc desc = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 8, 8, 96),
                          .rhs = tensor_desc(LUNA_TYPE_I8, 1, 8, 8, 96),
                          .output = tensor_desc(LUNA_TYPE_I8, 1, 8, 8, 96),
                          .lhs_multiplier = 1 << 30,
                          .lhs_shift = 31,
                          .requant = {.mode = LUNA_REQUANT_SHIFT,
                                      .clamp_min = -128,
                                      .clamp_max = 127}};
  CHECK(!luna_eltwise_is_native(&machine, &desc));
  CHECK_EQ(shift_bytes(&machine, &desc, 4096), 4096);
  CHECK_EQ(shift_bytes(&machine, &desc, 16384), 6144);
  desc.scratch = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 4096);
  CHECK(luna_eltwise_is_native(&machine, &desc));
  LunaCost cost = luna_cost_eltwise(&machine, &desc);
  CHECK_EQ(cost.launches, 4);
  CHECK_EQ(cost.unit_cycles, 4 * 534 + 2 * 6144 / 8);
  CHECK_EQ(cost.host_cycles, 4 * 10 + 700 + 200 + 2 * 50 + 4 * 100);
  // Both in one piece: three launches.
  desc.rhs_multiplier = 1 << 20;
  desc.rhs_shift = 23;
  desc.scratch.dims[3] = 2 * 6144 + 4;
  CHECK_EQ(luna_eltwise_launches(&desc), 3);
  desc.scratch.dims[3] -= 1;
  CHECK_EQ(luna_eltwise_launches(&desc), 6);
  desc.scratch.dims[3] = 5; // not one element
  CHECK(!luna_eltwise_is_native(&machine, &desc));
  machine.vector_in_place = false; // the core may have been chosen to be
  CHECK_EQ(shift_bytes(&machine, &desc, 16384), 0);
}

static void sums_take_joined_rows(void) {
  LunaMachine machine = test_machine();
  machine.host[LUNA_HOST_PIECE] = 100000;
  machine.host[LUNA_HOST_PART] = 1000;
  LunaEltwiseDesc desc = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 4, 8, 8),
                          .rhs = tensor_desc(LUNA_TYPE_I8, 1, 4, 8, 8),
                          .output = tensor_desc(LUNA_TYPE_I8, 1, 4, 8, 8),
                          .lhs_multiplier = 1 << 30,
                          .on_core = 1};
  uint64_t elements = 256 * (1 + 2);
  CHECK_EQ(luna_core_eltwise_cycles(&machine, &desc),
           2 * 1000 + 2 * 10 + elements);
  // Each row has two parts, of which one is padding.
  desc.rhs.dims[3] = 6;
  CHECK_EQ(luna_core_eltwise_cycles(&machine, &desc),
           2 * 1000 + 2 * 32 * 10 + elements);
  // A gap behind each row of the output.
  desc.output = tensor_desc(LUNA_TYPE_I8, 1, 4, 8, 9);
  desc.output.dims[3] = 8;
  CHECK_EQ(luna_core_eltwise_cycles(&machine, &desc),
           32 * 1000 + 2 * 32 * 10 + elements);
}

static void sums_of_one_scale_have_a_table(void) {
  LunaMachine machine = test_machine();
  machine.host[LUNA_HOST_SUM_TABLE] = 100000;
  machine.host[LUNA_HOST_SUM] = 300;
  LunaEltwiseDesc desc = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 16, 8, 8),
                          .rhs = tensor_desc(LUNA_TYPE_I8, 1, 16, 8, 8),
                          .output = tensor_desc(LUNA_TYPE_I8, 1, 16, 8, 8),
                          .on_core = 1};
  CHECK_EQ(luna_core_eltwise_cycles(&machine, &desc),
           1000 + 511 * 2 + 1024 * 3);
  desc.output.dims[1] = desc.lhs.dims[1] = desc.rhs.dims[1] = 15;
  CHECK_EQ(luna_core_eltwise_cycles(&machine, &desc), 960 * (1 + 2));
}

static void requantisation_is_native_only_as_the_unit_does_it(void) {
  LunaMachine machine = test_machine();
  LunaRequantDesc shift = {
      .mode = LUNA_REQUANT_SHIFT, .clamp_min = -128, .clamp_max = 127};
  CHECK(luna_requant_is_native(&machine, &shift, LUNA_TYPE_I8));
  CHECK(!luna_requant_is_native(&machine, &shift, LUNA_TYPE_I16));
  shift.clamp_min = 0;
  CHECK(luna_requant_is_native(&machine, &shift, LUNA_TYPE_I8));
  shift.clamp_max = 6;
  CHECK(!luna_requant_is_native(&machine, &shift, LUNA_TYPE_I8));
  shift.clamp_max = 127;
  shift.output_zero_point = -128;
  CHECK(!luna_requant_is_native(&machine, &shift, LUNA_TYPE_I8));
  machine.requant_multiplier = true;
  CHECK(luna_requant_is_native(&machine, &shift, LUNA_TYPE_I8));
  shift.mode = LUNA_REQUANT_FLOAT;
  CHECK(!luna_requant_is_native(&machine, &shift, LUNA_TYPE_I8));
}

static void pooling_costs_a_depthwise_convolution(void) {
  LunaMachine machine = test_machine();
  LunaPoolDesc desc = {.kind = LUNA_POOL_MAX,
                       .input = tensor_desc(LUNA_TYPE_I8, 1, 8, 8, 16),
                       .output = tensor_desc(LUNA_TYPE_I8, 1, 4, 4, 16),
                       .kernel = {2, 2},
                       .stride = {2, 2}};
  LunaCost cost = luna_cost_pool(&machine, &desc);
  CHECK_EQ(cost.unit_cycles, 1280 + 1024 / 8 + 64 / 8 + 16 * 16 * 4 / 8);
  CHECK_EQ(cost.host_cycles, 10);
  desc.kind = LUNA_POOL_AVERAGE;
  LunaCost average = luna_cost_pool(&machine, &desc);
  CHECK_EQ(average.unit_cycles, 0);
  CHECK_EQ(average.host_cycles, 256 * 2 + 4 * 256);
}

static void copies_and_fills_go_run_by_run(void) {
  LunaMachine machine = test_machine();
  LunaCopyDesc copy = {.source = tensor_desc(LUNA_TYPE_I8, 1, 2, 2, 10),
                       .target = tensor_desc(LUNA_TYPE_I8, 1, 2, 2, 10)};
  CHECK_EQ(luna_cost_copy(&machine, &copy).unit_cycles, 469 + 6);
  copy.target.strides[2] = 24;
  copy.target.strides[1] = 48;
  CHECK_EQ(luna_cost_copy(&machine, &copy).unit_cycles, 469 + 4 * 2);
  LunaFillDesc fill = {.target = copy.target};
  CHECK_EQ(luna_cost_fill(&machine, &fill).unit_cycles, 350 + 4 * 2);
  LunaTableDesc table = {.output = tensor_desc(LUNA_TYPE_I8, 1, 2, 2, 10)};
  CHECK_EQ(luna_cost_table(&machine, &table).unit_cycles, 406 + 10);
  CHECK_EQ(luna_cost_table(&machine, &table).host_cycles,
           luna_core_call_cycles(&machine, LUNA_HOST_COPY));
}

// Rows are as long as they are in both tensors.
static void a_machine_without_tables_computes_them_on_its_core(void) {
  LunaMachine machine = test_machine();
  machine.call_count = 0;
  LunaTableDesc table = {.input = tensor_desc(LUNA_TYPE_I8, 1, 2, 2, 10),
                         .output = tensor_desc(LUNA_TYPE_I8, 1, 2, 2, 10)};
  LunaCost cost = luna_cost_table(&machine, &table);
  CHECK_EQ(cost.unit_cycles, 0);
  CHECK_EQ(cost.launches, 0);
  CHECK_EQ(cost.host_cycles, 30 + 10 + 5 * 40);
  table.output.strides[1] += 2;
  CHECK_EQ(luna_cost_table(&machine, &table).host_cycles, 30 + 2 * 10 + 5 * 40);
  table.input.strides[2] += 2;
  CHECK_EQ(luna_cost_table(&machine, &table).host_cycles, 30 + 4 * 10 + 5 * 40);
}

// The cost by walking every launch.
static LunaCost walked_cost(const LunaMachine *machine,
                            const LunaConv2dDesc *desc) {
  LunaLaunchContext context = {
      .machine = machine,
      .input_type = desc->input.type,
      .weight_type = desc->weight.type,
      .output_type = desc->output.type,
      .has_sums = luna_tiles_conv2d_need_sums(desc),
      .finish = (LunaFinish)desc->tiling.finish,
      .tile = luna_conv2d_tile(desc),
  };
  LunaCost cost = {0};
  LunaTiles tiles;
  LunaLaunch launch = {0};
  luna_tiles_conv2d_begin(&tiles, desc);
  bool has_products = false;
  uint64_t left = 0; // of the core, for the tile before
  while (luna_tiles_next(&tiles, &launch)) {
    luna_launch_cost_add(&context, &launch, 1, &cost);
    uint64_t beside = luna_launch_unit_cycles(&context, &launch);
    cost.host_cycles -= left < beside ? left : beside;
    left = desc->tiling.slots > 1 && launch.is_last
               ? luna_launch_core_cycles(&context, &launch)
               : 0;
    has_products |= !launch.is_empty;
  }
  luna_operator_cost_add(&context, launch.kind, has_products, &cost);
  return cost;
}

static void cost_by_classes_is_that_of_every_launch(void) {
  LunaMachine machine = test_machine();
  Random random = {.state = 7};
  for (int i = 0; i < 3000; ++i) {
    LunaConv2dDesc desc = random_conv(&random, 12);
    desc.tiling = random_tiling(&random, &desc);
    desc.tiling.finish = random_in(&random, 0, 1);
    if (desc.tiling.finish == LUNA_FINISH_CORE)
      desc.bias = tensor_desc(LUNA_TYPE_I32, 1, 1, luna_border_classes(&desc),
                              desc.output.dims[3]);
    LunaCost found = luna_cost_conv2d(&machine, &desc);
    LunaCost expected = walked_cost(&machine, &desc);
    CHECK_EQ(found.unit_cycles, expected.unit_cycles);
    CHECK_EQ(found.host_cycles, expected.host_cycles);
    CHECK_EQ(found.launches, expected.launches);
  }
}

int main(void) {
  RUN_TEST(one_launch_reads_computes_and_writes);
  RUN_TEST(wide_results_take_longer_to_write_and_to_requantise);
  RUN_TEST(a_second_tile_reads_its_halo_and_launches_cheaper);
  RUN_TEST(partial_sums_cost_vector_launches);
  RUN_TEST(input_channel_blocks_are_added_up);
  RUN_TEST(depthwise_runs_at_its_own_rate);
  RUN_TEST(the_array_waits_for_each_granule);
  RUN_TEST(wider_elements_compute_slower);
  RUN_TEST(matrix_product_aligns_rows_depth_and_columns);
  RUN_TEST(eltwise_runs_on_the_unit_or_on_the_core);
  RUN_TEST(shifts_are_launches);
  RUN_TEST(sums_take_joined_rows);
  RUN_TEST(sums_of_one_scale_have_a_table);
  RUN_TEST(requantisation_is_native_only_as_the_unit_does_it);
  RUN_TEST(pooling_costs_a_depthwise_convolution);
  RUN_TEST(copies_and_fills_go_run_by_run);
  RUN_TEST(a_machine_without_tables_computes_them_on_its_core);
  RUN_TEST(cost_by_classes_is_that_of_every_launch);
  return 0;
}
