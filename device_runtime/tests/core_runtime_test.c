#include "check.h"
#include "luna/core.h"
#include "luna/runtime.h"
#include "luna/unit_calls.h"

// The runtime API above a port that notes what reaches it.

static char calls[256];
static int32_t last_token;

static void note(const char *call) {
  size_t length = strlen(calls);
  CHECK(length + strlen(call) < sizeof calls);
  snprintf(calls + length, sizeof calls - length, "%s", call);
}

void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands) {
  char text[32];
  CHECK(operands->input && operands->weight && operands->output);
  snprintf(text, sizeof text, "launch %d,",
           (int)(launch - luna_record_launches(record)));
  note(text);
  if (operands->scratch)
    *(int32_t *)operands->scratch = 1 + (int32_t)launch->channel;
}

void luna_unit_start_vector(const LunaVectorCall *call,
                            const LunaVectorOperands *operands) {
  char text[32];
  CHECK(operands->input && operands->output && operands->count > 0);
  snprintf(text, sizeof text, "%s,", luna_call_name((LunaCallName)call->name));
  note(text);
}

void luna_unit_start_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                             const void *rhs, void *output) {
  (void)desc, (void)lhs, (void)rhs, (void)output;
  note("eltwise,");
}

void luna_unit_start_pool(const LunaPoolDesc *desc, const void *input,
                          void *output) {
  (void)desc, (void)input, (void)output;
  note("pool,");
}

void luna_unit_start_table(const LunaTableDesc *desc, const void *input,
                           const void *table, void *output) {
  (void)desc, (void)input, (void)table, (void)output;
  note("table,");
}

void luna_unit_start_copy(const LunaCopyDesc *desc, const void *source,
                          void *target) {
  (void)desc, (void)source, (void)target;
  note("copy,");
}

void luna_unit_start_fill(const LunaFillDesc *desc, void *target) {
  (void)desc, (void)target;
  note("fill,");
}

static const int8_t *results; // as they are when a launch is awaited

void luna_unit_await(void) {
  char text[32] = "await,";
  if (results)
    snprintf(text, sizeof text, "%d%d%d,", results[0], results[1], results[2]);
  note(text);
}

int32_t luna_unit_start_transfer(const LunaDmaDesc *desc, void *target,
                                 const void *source) {
  (void)desc, (void)target, (void)source;
  note("transfer,");
  return ++last_token;
}

void luna_unit_await_transfer(int32_t token) {
  CHECK_EQ(token, last_token);
  note("arrived,");
}

static void begin(void) { calls[0] = 0; }

static void launches_are_started_and_awaited_in_turn(void) {
  struct {
    LunaProductRecord record;
    LunaLaunchRecord launches[2];
  } product = {.record = {.launch_count = 2}};
  int8_t data[4] = {0};
  begin();
  luna_rt_conv2d(NULL, &product.record, NULL, data, data, NULL, NULL, NULL,
                 data);
  luna_rt_matmul(NULL, &product.record, NULL, data, data, NULL, NULL, NULL,
                 data);
  CHECK_STR(calls, "launch 0,await,launch 1,await,"
                   "launch 0,await,launch 1,await,");
}

// Three tiles of one sum each, in turn in two places of the scratch.
static void the_core_works_on_a_tile_during_the_next(void) {
  struct {
    LunaProductRecord record;
    LunaLaunchRecord launches[3];
  } product = {.record = {.finish = LUNA_FINISH_CORE,
                          .output_type = LUNA_TYPE_I8,
                          .output_strides = {1, 1, 1},
                          .requant = {.clamp_min = -128, .clamp_max = 127},
                          .slots = 2,
                          .slot_bytes = 4,
                          .launch_count = 3}};
  for (int i = 0; i < 3; ++i)
    product.launches[i] = (LunaLaunchRecord){
        .output_offset = i,
        .channel = i,
        .tile = {1, 1},
        .out_channels = 1,
        .flags = LUNA_LAUNCH_FIRST | LUNA_LAUNCH_LAST | LUNA_LAUNCH_SUMS};
  int8_t data[4] = {0}, output[3] = {0};
  int32_t scratch[2] = {0};
  begin();
  results = output;
  luna_rt_conv2d(NULL, &product.record, NULL, data, data, NULL, NULL, scratch,
                 output);
  results = NULL;
  CHECK_STR(calls, "launch 0,000,launch 1,100,launch 2,120,");
  CHECK_EQ(output[2], 3);
  CHECK_EQ(scratch[0], 3);
  CHECK_EQ(scratch[1], 2);
}

static void transfers_are_awaited_by_their_token(void) {
  const LunaDmaDesc desc = {.bytes = 4};
  int8_t target[4], source[4] = {0};
  begin();
  int32_t token = luna_rt_dma_start(&desc, NULL, target, source);
  CHECK(token > 0);
  luna_rt_dma_wait(0, 0);
  CHECK_STR(calls, "transfer,");
  luna_rt_dma_wait(0, token);
  CHECK_STR(calls, "transfer,arrived,");
}

static void other_operators_are_one_launch(void) {
  const LunaEltwiseDesc eltwise = {0};
  const LunaPoolDesc pool = {.kind = LUNA_POOL_MAX};
  const LunaTableDesc table = {0};
  int8_t data[4] = {0};
  begin();
  luna_rt_eltwise(&eltwise, NULL, data, data, NULL, data);
  luna_rt_pool(&pool, NULL, data, data);
  luna_rt_table(&table, NULL, data, data, data);
  luna_rt_copy(NULL, NULL, data, data);
  luna_rt_fill(NULL, NULL, data);
  CHECK_STR(calls, "eltwise,await,pool,await,table,await,copy,await,"
                   "fill,await,");
}

static void announcements_reach_nothing(void) {
  begin();
  luna_rt_host_begin(NULL, NULL);
  luna_rt_host_operand(NULL, NULL);
  luna_rt_host_end();
  luna_rt_loop_iteration(0);
  CHECK_EQ(luna_rt_branch(3, 1), 1);
  CHECK_EQ(luna_rt_branch(3, 0), 0);
  CHECK_STR(calls, "");
}

int main(void) {
  RUN_TEST(launches_are_started_and_awaited_in_turn);
  RUN_TEST(the_core_works_on_a_tile_during_the_next);
  RUN_TEST(transfers_are_awaited_by_their_token);
  RUN_TEST(other_operators_are_one_launch);
  RUN_TEST(announcements_reach_nothing);
  return 0;
}
