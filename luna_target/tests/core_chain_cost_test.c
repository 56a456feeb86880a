#include "check.h"
#include "luna/core_cost.h"

// What the core executes for chains of vector calls, cost by cost.

// A tile of 2 rows, 8 columns and 4 channels.
static const int32_t extents[3] = {2, 8, 4};

static LunaRequantDesc requant_of(int32_t per_channel) {
  return (LunaRequantDesc){.mode = LUNA_REQUANT_MULTIPLIER,
                           .rounding = LUNA_ROUND_DOUBLE,
                           .per_channel = per_channel,
                           .multiplier = 1 << 30,
                           .shift = 38,
                           .clamp_min = -128,
                           .clamp_max = 127};
}

// Returns a machine on which only this takes a cycle.
static LunaMachine machine_of(LunaHostCost cost) {
  LunaMachine machine = {0};
  machine.host[cost] = 100;
  return machine;
}

// Returns how often a cost is in the work of a chain on the tile.
static uint64_t count_of(LunaHostCost cost, LunaFinish finish,
                         int32_t per_channel, const int32_t strides[3]) {
  const LunaMachine machine = machine_of(cost);
  const LunaRequantDesc requant = requant_of(per_channel);
  LunaVectorChain chain;
  CHECK(luna_chain_of_product(&chain, (int32_t)finish, &requant, LUNA_TYPE_I8));
  return luna_core_chain_tile_cycles(&machine, &chain, strides, extents);
}

// scale, cmp_vs, sub, and offset, which writes.
static void rows_are_runs_of_results(void) {
  const LunaFinish unit = LUNA_FINISH_UNIT;
  const int32_t dense[3] = {32, 4, 1}, rows[3] = {64, 4, 1},
                all[3] = {64, 6, 1};
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_TILE, unit, 0, rows), 1);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_TABLE, unit, 0, rows), 0);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_CALL, unit, 0, rows), 4);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_WRITE, unit, 0, rows), 1);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_ROW, unit, 0, dense), 1);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_ROW, unit, 0, rows), 2);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_RUN, unit, 0, dense), 1);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_RUN, unit, 0, rows), 2);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_RUN, unit, 0, all), 16);
}

static void planes_are_written_one_by_one(void) {
  const LunaFinish planes = LUNA_FINISH_PLANES;
  const int32_t dense[3] = {8, 1, 16}, rows[3] = {10, 1, 32};
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_TABLE, planes, 1, dense), 1);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_CHANNEL, planes, 1, dense), 0);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_CALL, planes, 1, dense), 4);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_PLANE, planes, 1, dense), 4);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_WRITE, planes, 1, dense), 4);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_RUN, planes, 1, dense), 4);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_RUN, planes, 1, rows), 8);
}

static void strips_and_channels_have_powers(void) {
  const int32_t planes[3] = {8, 1, 16}, rows[3] = {32, 4, 1};
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_CHANNEL, LUNA_FINISH_STRIPS, 1, planes), 4);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_CALL, LUNA_FINISH_STRIPS, 1, planes), 8);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_PLANE, LUNA_FINISH_STRIPS, 1, planes), 0);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_WRITE, LUNA_FINISH_STRIPS, 1, planes), 1);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_CHANNEL, LUNA_FINISH_UNIT, 1, rows), 4);
  CHECK_EQ(count_of(LUNA_HOST_CHAIN_CALL, LUNA_FINISH_UNIT, 1, rows), 5);
}

// Returns how often a cost is in the work of a sum of 64 elements, in pieces of
// 16, whose left operand has so many of 4 channels.
static uint64_t count_of_sum(LunaHostCost cost, int32_t channels) {
  const LunaTensorDesc tensor = {LUNA_TYPE_I8, {1, 4, 4, 4}, {64, 16, 4, 1}};
  const LunaMachine machine = machine_of(cost);
  LunaEltwiseDesc desc = {.kind = LUNA_ELTWISE_ADD,
                          .lhs = tensor,
                          .rhs = tensor,
                          .output = tensor,
                          .scratch = {.strides = {0, 0, 0, 1}},
                          .rhs_multiplier = 1 << 30,
                          .rhs_shift = 14,
                          .requant = requant_of(0)};
  desc.lhs.dims[3] = desc.lhs.strides[2] = channels;
  desc.lhs.strides[1] = 4 * channels;
  desc.lhs.strides[0] = 16 * channels;
  desc.scratch.dims[3] = 16 * (channels < 4 ? 9 : 8);
  LunaEltwiseChain chain;
  CHECK(luna_eltwise_has_chain(&desc, &chain));
  return luna_core_chain_cycles(&machine, &desc, &chain);
}

// Two loads, a scale, the sum; scale, cmp_vs, sub, and offset.
static void sums_are_derived_and_walked(void) {
  CHECK_EQ(count_of_sum(LUNA_HOST_CALL, 4), 1);
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN, 4), 1);
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN_STEP, 4), 8);
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN_SCALE, 4), 1);
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN_PIECE, 4), 4);
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN_PIECE_CALL, 4), 32);
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN_PADDING, 4), 0);
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN_COPY, 4), 0);
}

static void padded_operands_are_copied_piece_by_piece(void) {
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN_PADDING, 2), 1);
  CHECK_EQ(count_of_sum(LUNA_HOST_CHAIN_COPY, 2), 4);
}

int main(void) {
  RUN_TEST(rows_are_runs_of_results);
  RUN_TEST(planes_are_written_one_by_one);
  RUN_TEST(strips_and_channels_have_powers);
  RUN_TEST(sums_are_derived_and_walked);
  RUN_TEST(padded_operands_are_copied_piece_by_piece);
  return 0;
}
