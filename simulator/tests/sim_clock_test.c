// The simulator's clocks beside what was measured, and beside the predictor,
// which counts launches by classes instead of one by one.

#include "luna/border.h"
#include "luna/cost.h"
#include "luna/launches.h"
#include "luna/tiling.h"
#include "sim_clock.h"
#include "sim_fixture.h"
#include "sim_launch_time.h"
#include "test_machine.h"
#include "tile_random.h"

//===- Transfers ----------------------------------------------------------===//

// Measured on ARCS; LISTENAI/thinker 562ddc7, tools/tprofile/src/
// luna_profile_arcs.py, est_dma_cycles.
enum { MEASURED_COUNT = 11, LARGEST = 65536 };
static const int32_t measured_bytes[MEASURED_COUNT] = {
    256, 512, 784, 1024, 2048, 4096, 8192, 16384, 32768, 49152, 65536};
static const uint64_t
    measured_cycles[LUNA_DMA_DIRECTION_COUNT][MEASURED_COUNT] = {
        [LUNA_DMA_LOAD] = {821, 1150, 1451, 1645, 2633, 4612, 8566, 16468,
                           32284, 48106, 63922},
        [LUNA_DMA_STORE] = {829, 1021, 1235, 1405, 2197, 3778, 6940, 13261,
                            25909, 38560, 51205},
        [LUNA_DMA_ON_CHIP] = {801, 970, 1152, 1307, 1979, 3323, 6010, 11385,
                              22137, 32891, 43643},
};

// Returns the cycles in which a program on `machine` starts and awaits one
// transfer.
static uint64_t transfer_run(const LunaMachine *machine, int32_t direction,
                             int32_t bytes) {
  static alignas(16) uint8_t shared[2 * LARGEST], psram[LARGEST];
  LunaSimulator *sim = luna_simulator_create(machine, NULL);
  const LunaMemoryRange ranges[] = {
      {"arena", LUNA_SPACE_SHARED, shared, sizeof shared, true, false},
      {"psram", LUNA_SPACE_PSRAM, psram, sizeof psram, true, false},
  };
  for (int i = 0; i < 2; ++i)
    CHECK(luna_simulator_add_range(sim, &ranges[i], NULL));
  luna_simulator_begin_run(sim);
  Transfer transfer = load(0, bytes, LUNA_NO_ID, LUNA_NO_ID);
  transfer.desc.direction = direction;
  uint8_t *target = direction == LUNA_DMA_STORE ? psram : shared;
  const uint8_t *source = direction == LUNA_DMA_LOAD ? psram : shared + LARGEST;
  luna_rt_dma_wait(0, start(&transfer, target, source));
  const LunaRunResult *result = luna_simulator_end_run(sim);
  CHECK_EQ(result->hazard_count, 0);
  uint64_t cycles = result->cycles - result->host_cycles;
  luna_simulator_destroy(sim);
  return cycles;
}

static void transfers_take_what_was_measured(void) {
  static const char *const names[] = {"arcs", "venus"};
  for (int m = 0; m < 2; ++m) {
    LunaMachine machine;
    CHECK(luna_machine_load(names[m], NULL, &machine, NULL));
    for (int32_t d = 0; d < LUNA_DMA_DIRECTION_COUNT; ++d)
      for (int i = 0; i < MEASURED_COUNT; ++i)
        CHECK_EQ(transfer_run(&machine, d, measured_bytes[i]),
                 measured_cycles[d][i]);
  }
}

static void transfers_of_any_size_take_what_is_predicted(void) {
  LunaMachine machine;
  CHECK(luna_machine_load("arcs", NULL, &machine, NULL));
  for (int32_t d = 0; d < LUNA_DMA_DIRECTION_COUNT; ++d)
    for (int32_t bytes = 4; bytes <= LARGEST; bytes += 4 * 97)
      CHECK_EQ(transfer_run(&machine, d, bytes),
               luna_cost_dma(&machine, d, (uint64_t)bytes));
}

//===- Operators ----------------------------------------------------------===//

typedef struct Clock {
  LunaMachine machine;
  LunaSimulator *sim;
} Clock;

static Clock open_clock(void) {
  Clock clock = {.machine = test_machine()};
  clock.machine.conv.hold_cycles_per_granule = 3;
  clock.machine.conv.hold_cycles_per_kernel_column = 2;
  clock.machine.conv.hold_cycles_per_channel_step = 7;
  clock.machine.matmul.hold_cycles_per_granule = 5;
  clock.sim = luna_simulator_create(&clock.machine, NULL);
  luna_simulator_begin_run(clock.sim);
  luna_sim_clock_begin(clock.sim, 0);
  return clock;
}

// Checks the cycles that have passed since open_clock, and closes.
static void check_clock(Clock *clock, LunaCost cost) {
  const LunaSimWork *work = &clock->sim->work;
  CHECK(work->core_cycles >= cost.host_cycles);
  CHECK_EQ(work->unit_cycles, cost.unit_cycles);
  CHECK_EQ(work->launches, cost.launches);
  CHECK_EQ(clock->sim->clocks.core, cost.host_cycles + cost.unit_cycles);
  luna_simulator_end_run(clock->sim);
  luna_simulator_destroy(clock->sim);
}

// Passes the time of an operator, launch by launch.
static void pass_record(LunaSimulator *sim, const LunaProductRecord *record) {
  CHECK(record);
  LunaLaunchTime time = luna_sim_launches_begin(sim, record);
  for (int32_t i = 0; i < record->launch_count; ++i) {
    luna_sim_launch_start(&time, &luna_record_launches(record)[i]);
    luna_sim_clock_await(sim);
    luna_sim_launch_end(&time);
  }
}

static void pass_conv2d(LunaSimulator *sim, const LunaConv2dDesc *desc) {
  LunaArena arena = {0};
  int32_t words = 0;
  pass_record(sim, luna_launches_conv2d(desc, &arena, &words, NULL));
  luna_arena_destroy(&arena);
}

static void pass_matmul(LunaSimulator *sim, const LunaMatmulDesc *desc) {
  LunaArena arena = {0};
  int32_t words = 0;
  pass_record(sim, luna_launches_matmul(desc, &arena, &words, NULL));
  luna_arena_destroy(&arena);
}

static void set_planes(LunaTensorDesc *desc) {
  desc->strides[1] = desc->dims[2];
  desc->strides[2] = 1;
  desc->strides[3] = desc->dims[1] * desc->dims[2];
}

// Of the scratch, only its slots take time.
static void set_finish(Random *random, LunaTiling *tiling) {
  tiling->finish = random_in(random, 0, 1);
  tiling->slots = random_in(random, 1, 2);
  tiling->scratch_bytes = 8;
}

static void convolutions_take_what_is_predicted(void) {
  Random random = {7};
  for (int i = 0; i < 3000; ++i) {
    LunaConv2dDesc desc = random_conv(&random, 20);
    desc.tiling = random_tiling(&random, &desc);
    set_finish(&random, &desc.tiling);
    desc.input.type = random_in(&random, LUNA_TYPE_I8, LUNA_TYPE_I16);
    if (desc.tiling.finish == LUNA_FINISH_CORE)
      desc.bias = tensor_desc(LUNA_TYPE_I32, 1, 1, luna_border_classes(&desc),
                              desc.output.dims[3]);
    if (random_in(&random, 0, 1) == 1)
      set_planes(&desc.output);
    Clock clock = open_clock();
    luna_sim_clock_core(clock.sim, luna_core_product_cycles(
                                       &clock.machine, desc.tiling.finish));
    pass_conv2d(clock.sim, &desc);
    check_clock(&clock, luna_cost_conv2d(&clock.machine, &desc));
  }
}

static LunaMatmulDesc random_matmul(Random *random) {
  LunaTiling tiling = {0};
  set_finish(random, &tiling);
  int32_t batches = random_in(random, 1, 3), rows = random_in(random, 1, 40);
  int32_t depth = random_in(random, 1, 40), columns = random_in(random, 1, 40);
  return (LunaMatmulDesc){
      .lhs = tensor_desc(LUNA_TYPE_I8, 1, batches, rows, depth),
      .rhs = tensor_desc(LUNA_TYPE_I8, 1, batches, depth, columns),
      .output = tensor_desc(LUNA_TYPE_I32, 1, batches, rows, columns),
      .tiling = {.out_h = random_in(random, 1, rows),
                 .out_w = random_in(random, 1, columns),
                 .in_c = random_in(random, 1, depth),
                 .finish = tiling.finish,
                 .slots = tiling.slots,
                 .scratch_bytes = tiling.scratch_bytes},
  };
}

static void matrix_products_take_what_is_predicted(void) {
  Random random = {11};
  for (int i = 0; i < 3000; ++i) {
    LunaMatmulDesc desc = random_matmul(&random);
    Clock clock = open_clock();
    luna_sim_clock_core(clock.sim, luna_core_product_cycles(
                                       &clock.machine, desc.tiling.finish));
    pass_matmul(clock.sim, &desc);
    check_clock(&clock, luna_cost_matmul(&clock.machine, &desc));
  }
}

// 4 x 4 x 8 by one tap to 4 x 4 x 2, by hand: set-up 1350; input 128 and
// weights 16 bytes at 8 a cycle; 4 cycles of products, hidden by 128 bytes of
// sums at 16 a cycle; 10 of the core.
static void a_convolution_takes_what_the_machine_file_says(void) {
  LunaConv2dDesc desc =
      conv_desc(LUNA_CONV_NORMAL, (int32_t[]){4, 4, 8, 2, 1, 1}, 1, 1, 1, 1,
                (int32_t[]){0, 0, 0, 0});
  LunaMachine machine = test_machine();
  LunaSimulator *sim = luna_simulator_create(&machine, NULL);
  luna_simulator_begin_run(sim);
  luna_sim_clock_begin(sim, 0);
  pass_conv2d(sim, &desc);
  CHECK_EQ(sim->work.unit_cycles, 1350 + 16 + 2 + 8);
  CHECK_EQ(sim->work.core_cycles, 10);
  luna_simulator_end_run(sim);
  luna_simulator_destroy(sim);
}

int main(void) {
  RUN_TEST(transfers_take_what_was_measured);
  RUN_TEST(transfers_of_any_size_take_what_is_predicted);
  RUN_TEST(convolutions_take_what_is_predicted);
  RUN_TEST(matrix_products_take_what_is_predicted);
  RUN_TEST(a_convolution_takes_what_the_machine_file_says);
  return 0;
}
