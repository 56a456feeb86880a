#include "check.h"
#include "luna/cost.h"

static LunaMachine machine_with_table(void) {
  LunaMachine machine = {.name = "test"};
  machine.dma[LUNA_DMA_LOAD] = (LunaDmaCost){
      .startup_cycles = 650,
      .cycles_numerator = 9655,
      .cycles_denominator = 10000,
      .point_count = 3,
      .points = {{256, 821}, {512, 1150}, {1024, 1645}},
  };
  machine.dma[LUNA_DMA_STORE] = (LunaDmaCost){
      .startup_cycles = 100, .cycles_numerator = 1, .cycles_denominator = 2};
  return machine;
}

static void measured_sizes_cost_what_was_measured(void) {
  LunaMachine machine = machine_with_table();
  CHECK_EQ(luna_cost_dma(&machine, LUNA_DMA_LOAD, 256), 821);
  CHECK_EQ(luna_cost_dma(&machine, LUNA_DMA_LOAD, 512), 1150);
  CHECK_EQ(luna_cost_dma(&machine, LUNA_DMA_LOAD, 1024), 1645);
}

static void sizes_between_points_are_interpolated_upwards(void) {
  LunaMachine machine = machine_with_table();
  // 821 + 128 * 329 / 256 = 985.5
  CHECK_EQ(luna_cost_dma(&machine, LUNA_DMA_LOAD, 384), 986);
}

static void sizes_beyond_the_table_follow_its_last_slope(void) {
  LunaMachine machine = machine_with_table();
  // 1150 + 1024 * 495 / 512
  CHECK_EQ(luna_cost_dma(&machine, LUNA_DMA_LOAD, 1536), 2140);
}

static void sizes_below_the_table_and_without_one_follow_the_line(void) {
  LunaMachine machine = machine_with_table();
  // 650 + 16 * 0.9655 = 665.4
  CHECK_EQ(luna_cost_dma(&machine, LUNA_DMA_LOAD, 16), 666);
  CHECK_EQ(luna_cost_dma(&machine, LUNA_DMA_STORE, 1000), 600);
}

static void a_larger_transfer_is_never_cheaper(void) {
  LunaMachine machine = machine_with_table();
  uint64_t last = 0;
  for (uint64_t bytes = 0; bytes < 2000; bytes += 4) {
    uint64_t cycles = luna_cost_dma(&machine, LUNA_DMA_LOAD, bytes);
    CHECK(cycles >= last);
    last = cycles;
  }
}

static void no_bytes_cost_nothing(void) {
  LunaMachine machine = machine_with_table();
  CHECK_EQ(luna_cost_dma(&machine, LUNA_DMA_LOAD, 0), 0);
}

int main(void) {
  RUN_TEST(measured_sizes_cost_what_was_measured);
  RUN_TEST(sizes_between_points_are_interpolated_upwards);
  RUN_TEST(sizes_beyond_the_table_follow_its_last_slope);
  RUN_TEST(sizes_below_the_table_and_without_one_follow_the_line);
  RUN_TEST(a_larger_transfer_is_never_cheaper);
  RUN_TEST(no_bytes_cost_nothing);
  return 0;
}
