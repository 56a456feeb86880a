#include "luna/launch_rules.h"

#include <string.h>

#include "check.h"
#include "luna/tiles.h"
#include "luna/weight_layout.h"
#include "test_machine.h"

// A launch that is one call: planes of 4 x 6 and 8 channels to planes of 4 x 6
// and 16, by a kernel of 3 x 3, without zero points.
static LunaProductRecord record_of_call(void) {
  return (LunaProductRecord){
      .kind = LUNA_LAUNCH_CONV,
      .input_type = LUNA_TYPE_I8,
      .weight_type = LUNA_TYPE_I8,
      .output_type = LUNA_TYPE_I8,
      .input_strides = {6, 1, 24},
      .output_strides = {6, 1, 24},
      .channel_step = 1,
      .launch_count = 1,
  };
}

static LunaLaunchRecord launch_of_call(void) {
  return (LunaLaunchRecord){
      .tile = {4, 6},
      .out = {4, 6},
      .in = {4, 6},
      .taps = {3, 3},
      .out_channels = 16,
      .in_channels = 8,
      .pad_before = {1, 1},
      .pad_after = {1, 1},
      .stride = {1, 1},
      .dilation = {1, 1},
      .in_step = {1, 1},
      .flags = LUNA_LAUNCH_FIRST | LUNA_LAUNCH_LAST | LUNA_LAUNCH_COVERS,
  };
}

static LunaLaunchRules rules_of(const LunaProductRecord *record,
                                const LunaLaunchRecord *launch) {
  LunaMachine machine = test_machine();
  return luna_launch_rules(&machine, record, launch);
}

#define ONLY(NAME) (1U << LUNA_RULE_##NAME)

static void whole_planes_are_one_call(void) {
  LunaProductRecord record = record_of_call();
  LunaLaunchRecord launch = launch_of_call();
  CHECK_EQ(rules_of(&record, &launch), 0);
  launch.flags |= LUNA_LAUNCH_SUMS;
  CHECK_EQ(rules_of(&record, &launch), 0);
}

static void a_range_of_channels_is_one_call(void) {
  LunaProductRecord record = record_of_call();
  LunaLaunchRecord launch = launch_of_call();
  launch.input_offset = 48;
  launch.in_channels = 4;
  launch.channel = 16;
  CHECK_EQ(rules_of(&record, &launch), 0);
}

// Rows of one channel, or channels of one place, lie side by side anyway.
static void the_stride_of_an_extent_of_one_is_of_no_account(void) {
  LunaProductRecord record = record_of_call();
  LunaLaunchRecord launch = launch_of_call();
  const int32_t channels[3] = {96, 16, 1};
  memcpy(record.output_strides, channels, sizeof channels);
  CHECK_EQ(rules_of(&record, &launch), ONLY(OUTPUT));
  launch.tile[0] = launch.tile[1] = launch.out[0] = launch.out[1] = 1;
  launch.taps[0] = launch.taps[1] = launch.stride[0] = launch.stride[1] = 4;
  launch.pad_before[0] = launch.pad_before[1] = 0;
  launch.pad_after[0] = launch.pad_after[1] = 0;
  CHECK_EQ(rules_of(&record, &launch), 0);
}

// What the inputs give beyond the outputs, the library writes, too.
static void a_call_computes_all_that_its_inputs_give(void) {
  LunaProductRecord record = record_of_call();
  LunaLaunchRecord launch = launch_of_call();
  launch.pad_after[0] = 2;
  CHECK_EQ(rules_of(&record, &launch), ONLY(LIMITS));
  launch.stride[0] = 2;
  launch.tile[0] = launch.out[0] = 2;
  launch.pad_after[0] = 1;
  launch.flags |= LUNA_LAUNCH_SUMS;
  CHECK_EQ(rules_of(&record, &launch), 0);
}

static void each_rule_is_broken_alone(void) {
  LunaProductRecord record = record_of_call();
  LunaLaunchRecord launch = launch_of_call();
  record.input_type = LUNA_TYPE_I16;
  CHECK_EQ(rules_of(&record, &launch), ONLY(TYPES));
  record = record_of_call();
  record.input_zero_point = -128;
  CHECK_EQ(rules_of(&record, &launch), ONLY(ZERO_POINT));
  record = record_of_call();
  record.is_transposed = 1;
  CHECK_EQ(rules_of(&record, &launch), ONLY(PHASE));
  record = record_of_call();
  launch.in_step[1] = 2;
  CHECK_EQ(rules_of(&record, &launch), ONLY(STEPS));
  launch = launch_of_call();
  launch.in[0] = 3; // some rows of a plane
  launch.pad_after[0] = 2;
  CHECK_EQ(rules_of(&record, &launch), ONLY(INPUT));
  launch = launch_of_call();
  launch.tile[0] = launch.out[0] = 3;
  launch.pad_after[0] = 0;
  CHECK_EQ(rules_of(&record, &launch), ONLY(OUTPUT));
  launch = launch_of_call();
  launch.channel = 1;
  CHECK_EQ(rules_of(&record, &launch), ONLY(CHANNEL));
  launch = launch_of_call();
  CHECK(luna_weight_layout_read("OhwI2o8i", record.weight_layout));
  CHECK_EQ(rules_of(&record, &launch), ONLY(WEIGHTS));
  record = record_of_call();
  launch.taps[0] = 6;
  CHECK_EQ(rules_of(&record, &launch), ONLY(LIMITS));
}

static void sums_are_of_a_whole_tile_and_its_first(void) {
  LunaProductRecord record = record_of_call();
  LunaLaunchRecord launch = launch_of_call();
  launch.flags = LUNA_LAUNCH_FIRST | LUNA_LAUNCH_SUMS;
  CHECK_EQ(rules_of(&record, &launch), ONLY(PART));
  launch.flags = LUNA_LAUNCH_COVERS | LUNA_LAUNCH_SUMS;
  CHECK_EQ(rules_of(&record, &launch), ONLY(ADDS));
  launch.flags = LUNA_LAUNCH_SUMS | LUNA_LAUNCH_OTHER;
  CHECK_EQ(rules_of(&record, &launch), 0);
}

static void a_matrix_product_is_of_dense_matrices(void) {
  LunaProductRecord record = record_of_call();
  LunaLaunchRecord launch = launch_of_call();
  const int32_t rows[3] = {8, 0, 1};
  record.kind = LUNA_LAUNCH_MATMUL;
  memcpy(record.input_strides, rows, sizeof rows);
  memcpy(record.output_strides, rows, sizeof rows);
  record.weight_strides[0] = 1; // [depth][columns]
  record.weight_strides[3] = launch.out_channels;
  launch.tile[0] = launch.tile[1] = launch.in[0] = launch.in[1] = 1;
  CHECK_EQ(rules_of(&record, &launch), 0);
  launch.tile[0] = launch.in[0] = 2;
  CHECK_EQ(rules_of(&record, &launch), 0);
  record.bias_type = LUNA_TYPE_I32;
  CHECK_EQ(rules_of(&record, &launch), ONLY(MATRIX));
  record.bias_type = 0;
  record.input_strides[0] = 9; // rows that lie apart
  CHECK_EQ(rules_of(&record, &launch), ONLY(MATRIX));
}

static void what_computes_nothing_breaks_nothing(void) {
  LunaProductRecord record = record_of_call();
  LunaLaunchRecord launch = launch_of_call();
  record.input_zero_point = 3;
  launch.flags |= LUNA_LAUNCH_EMPTY;
  CHECK_EQ(rules_of(&record, &launch), 0);
}

int main(void) {
  CHECK_STR(luna_launch_rule_name(LUNA_RULE_ZERO_POINT), "zero_point");
  CHECK_STR(luna_launch_rule_text(LUNA_RULE_ADDS),
            "sums that are added to others");
  RUN_TEST(whole_planes_are_one_call);
  RUN_TEST(a_range_of_channels_is_one_call);
  RUN_TEST(the_stride_of_an_extent_of_one_is_of_no_account);
  RUN_TEST(a_call_computes_all_that_its_inputs_give);
  RUN_TEST(each_rule_is_broken_alone);
  RUN_TEST(sums_are_of_a_whole_tile_and_its_first);
  RUN_TEST(a_matrix_product_is_of_dense_matrices);
  RUN_TEST(what_computes_nothing_breaks_nothing);
  return 0;
}
