#include "luna/tiles.h"
#include "luna/unit_port.h"
#include "sim_fixture.h"

// The port below a runtime without checks: a simulator that knows no memory.

static LunaSimulator *begin(void) {
  const LunaMachine machine = fixture_machine();
  LunaSimulator *sim = luna_simulator_create(&machine, NULL);
  luna_simulator_begin_run(sim);
  return sim;
}

static void transfers_arrive_when_awaited(void) {
  const LunaDmaDesc desc = {.bytes = 8};
  int8_t source[8] = {1, 2, 3, 4, 5, 6, 7, 8}, target[8] = {0};
  LunaSimulator *sim = begin();
  int32_t token = luna_unit_start_transfer(&desc, target, source);
  CHECK(token > 0);
  CHECK_EQ(target[7], 0);
  luna_unit_await_transfer(token);
  CHECK_EQ(target[7], 8);
  const LunaRunResult *result = luna_simulator_end_run(sim);
  CHECK_EQ(result->cycles, 108);
  CHECK_EQ(result->stall_cycles, 108);
  CHECK_EQ(result->hazard_count, 0);
  luna_simulator_destroy(sim);
}

static void launches_take_time(void) {
  const LunaFillDesc desc = {.target = {.type = LUNA_TYPE_I8,
                                        .dims = {1, 1, 1, 32},
                                        .strides = {32, 32, 32, 1}},
                             .value_low = 3};
  int8_t target[32] = {0};
  LunaSimulator *sim = begin();
  luna_unit_start_fill(&desc, target);
  luna_unit_await();
  CHECK_EQ(target[31], 3);
  const LunaRunResult *result = luna_simulator_end_run(sim);
  CHECK_EQ(result->compute_cycles, 302);
  CHECK_EQ(result->host_cycles, 10);
  CHECK_EQ(result->cycles, 312);
  CHECK_EQ(result->launches, 1);
  luna_simulator_destroy(sim);
}

typedef struct Product {
  LunaProductRecord record;
  LunaLaunchRecord launches[2];
} Product;

// Two products of one factor each.
static Product product_create(void) {
  Product product = {
      .record = {.kind = LUNA_LAUNCH_CONV,
                 .launch_count = 2,
                 .input_type = LUNA_TYPE_I8,
                 .weight_type = LUNA_TYPE_I8,
                 .output_type = LUNA_TYPE_I32,
                 .input_strides = {1, 1, 1},
                 .weight_strides = {1, 1, 1, 1},
                 .output_strides = {1, 1, 1},
                 .channel_step = 1},
  };
  const LunaLaunchRecord launch = {.tile = {1, 1},
                                   .out = {1, 1},
                                   .in = {1, 1},
                                   .taps = {1, 1},
                                   .stride = {1, 1},
                                   .dilation = {1, 1},
                                   .in_step = {1, 1},
                                   .in_channels = 1,
                                   .out_channels = 1,
                                   .flags =
                                       LUNA_LAUNCH_FIRST | LUNA_LAUNCH_LAST};
  product.launches[0] = product.launches[1] = launch;
  product.launches[1].input_offset = 1;
  product.launches[1].output_offset = 4;
  return product;
}

static void a_product_is_one_operator(void) {
  const Product product = product_create();
  int8_t input[2] = {3, 5}, weight[1] = {7};
  int32_t output[2] = {0};
  const LunaProductOperands operands = {
      .input = input, .weight = weight, .output = output};
  LunaSimulator *sim = begin();
  for (int i = 0; i < 2; ++i) {
    luna_unit_start(&product.record, &product.launches[i], &operands);
    luna_unit_await();
  }
  CHECK_EQ(output[0], 21);
  CHECK_EQ(output[1], 35);
  CHECK_EQ(luna_simulator_end_run(sim)->launches, 2);
  luna_simulator_destroy(sim);
}

// Until then something else lies in their place.
static void sums_arrive_when_awaited(void) {
  Product product = product_create();
  int8_t input[2] = {3, 5}, weight[1] = {7};
  int32_t output[2] = {0}, scratch = 0;
  const LunaProductOperands operands = {
      .input = input, .weight = weight, .scratch = &scratch, .output = output};
  product.launches[0].flags |= LUNA_LAUNCH_SUMS;
  LunaSimulator *sim = begin();
  luna_unit_start(&product.record, &product.launches[0], &operands);
  CHECK(scratch != 21);
  luna_unit_await();
  CHECK_EQ(scratch, 21);
  CHECK_EQ(luna_simulator_end_run(sim)->hazard_count, 0);
  luna_simulator_destroy(sim);
}

static void a_launch_before_the_last_is_awaited_is_a_hazard(void) {
  const LunaFillDesc desc = {.target = {.type = LUNA_TYPE_I8,
                                        .dims = {1, 1, 1, 32},
                                        .strides = {32, 32, 32, 1}}};
  int8_t target[32];
  LunaSimulator *sim = begin();
  luna_unit_start_fill(&desc, target);
  luna_unit_start_fill(&desc, target);
  luna_unit_await();
  const LunaRunResult *result = luna_simulator_end_run(sim);
  CHECK_EQ(result->hazard_count, 1);
  CHECK_EQ(result->hazards[0].kind, LUNA_HAZARD_BAD_LAUNCH);
  luna_simulator_destroy(sim);
}

int main(void) {
  RUN_TEST(transfers_arrive_when_awaited);
  RUN_TEST(launches_take_time);
  RUN_TEST(a_product_is_one_operator);
  RUN_TEST(sums_arrive_when_awaited);
  RUN_TEST(a_launch_before_the_last_is_awaited_is_a_hazard);
  return 0;
}
