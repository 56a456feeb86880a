#include "luna/simulator.h"

#include "sim_fixture.h"

//===- Time ---------------------------------------------------------------===//

static void a_wait_stalls_until_the_transfer_ends(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 60, 1, 7);
  int32_t token = start(&weights, fixture.arena, fixture.weights);
  host_op(1, 50, LUNA_ACCESS_READ, NULL, 0, LUNA_NO_ID, LUNA_NO_ID);
  luna_rt_dma_wait(2, token);
  host_op(2, 30, LUNA_ACCESS_READ, fixture.arena, 60, 1, 7);
  check_clean(&fixture);
  const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
  // The transfer: [0, 160). Host [0, 50), stall [50, 160), host [160, 190).
  CHECK_EQ(result->cycles, 190);
  CHECK_EQ(result->host_cycles, 80);
  CHECK_EQ(result->stall_cycles, 110);
  CHECK_EQ(result->dma_cycles, 160);
  CHECK_EQ(result->compute_cycles, 0);
  CHECK_EQ(result->bound_cycles, 160);
  CHECK_EQ(result->transfers, 1);
  CHECK_EQ(result->dma_bytes, 60);
  CHECK_EQ(result->arena_high_water_bytes, 60);
  CHECK_EQ(result->ops[2].stall_cycles, 110);
  CHECK_EQ(result->ops[0].dma_cycles, 160);
  CHECK(memcmp(fixture.arena, fixture.weights, 60) == 0);

  uint64_t count;
  const LunaTimelineEvent *events = luna_simulator_events(fixture.sim, &count);
  CHECK_EQ(count, 4);
  CHECK_EQ(events[0].row, LUNA_ROW_DMA);
  CHECK_EQ(events[0].end_cycles, 160);
  CHECK_EQ(events[0].content, 7);
  CHECK_EQ(events[1].row, LUNA_ROW_HOST);
  CHECK_EQ(events[2].row, LUNA_ROW_STALL);
  CHECK_EQ(events[2].op, 2);
  CHECK_EQ(events[2].transfer_op, 0);
  CHECK_EQ(events[2].begin_cycles, 50);
  CHECK_EQ(events[2].end_cycles, 160);
  CHECK_EQ(events[2].token, token);
  fixture_close(&fixture);
}

static void a_transfer_behind_computation_costs_nothing(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 60, 1, 7);
  int32_t token = start(&weights, fixture.arena, fixture.weights);
  host_op(1, 500, LUNA_ACCESS_READ, NULL, 0, LUNA_NO_ID, LUNA_NO_ID);
  luna_rt_dma_wait(2, token);
  check_clean(&fixture);
  const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
  CHECK_EQ(result->cycles, 500);
  CHECK_EQ(result->stall_cycles, 0);
  CHECK_EQ(result->bound_cycles, 500);
  fixture_close(&fixture);
}

static void transfers_queue_on_the_one_engine(void) {
  Fixture fixture;
  LunaMachine machine = fixture_machine();
  machine.dma_outstanding = 2;
  fixture_open_on(&fixture, &machine);
  Transfer weights = load(0, 100, 1, 7);
  int32_t first = start(&weights, fixture.arena, fixture.weights);
  int32_t second = start(&weights, fixture.arena + 100, fixture.weights);
  luna_rt_dma_wait(1, first);  // Ends at 200.
  luna_rt_dma_wait(1, second); // Ends at 400.
  check_clean(&fixture);
  CHECK_EQ(luna_simulator_end_run(fixture.sim)->cycles, 400);
  fixture_close(&fixture);
}

static void a_unit_operator_takes_host_then_unit(void) {
  Fixture fixture;
  fixture_open(&fixture);
  LunaFillDesc fill = {.target = {.type = LUNA_TYPE_I8,
                                  .dims = {1, 1, 1, 64},
                                  .strides = {64, 64, 64, 1}},
                       .value_low = 5};
  luna_rt_fill(&fill, IDS(3, 0, LUNA_NO_ID), fixture.arena);
  check_clean(&fixture);
  const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
  // Launch 10 on the core, then 300 + 64 / 16 on the unit.
  CHECK_EQ(result->host_cycles, 10);
  CHECK_EQ(result->compute_cycles, 304);
  CHECK_EQ(result->cycles, 314);
  CHECK_EQ(result->launches, 1);
  CHECK_EQ(result->ops[3].calls, 1);
  CHECK_EQ(result->ops[3].compute_cycles, 304);
  CHECK_EQ(fixture.arena[63], 5);
  uint64_t count;
  const LunaTimelineEvent *events = luna_simulator_events(fixture.sim, &count);
  CHECK_EQ(count, 2);
  CHECK_EQ(events[1].row, LUNA_ROW_COMPUTE);
  CHECK_EQ(events[1].begin_cycles, 10);
  CHECK_EQ(events[1].end_cycles, 314);
  fixture_close(&fixture);
}

static void a_second_run_starts_afresh(void) {
  Fixture fixture;
  fixture_open(&fixture);
  host_op(0, 10, LUNA_ACCESS_WRITE, fixture.arena, 8, 1, LUNA_NO_ID);
  luna_rt_loop_iteration(0);
  luna_simulator_end_run(fixture.sim);
  luna_simulator_begin_run(fixture.sim);
  host_op(0, 10, LUNA_ACCESS_READ, fixture.arena, 8, 1, LUNA_NO_ID);
  const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
  CHECK_EQ(result->cycles, 10);
  CHECK_EQ(result->hazard_count, 1);
  CHECK_STR(result->path, "");
  fixture_close(&fixture);
}

//===- Paths --------------------------------------------------------------===//

static const int32_t switch_cases[] = {0, 4};
static const LunaProgramBranch branches[] = {
    {.name = "if0"},
    {.name = "switch0",
     .kind = LUNA_BRANCH_SWITCH,
     .case_count = 2,
     .cases = switch_cases},
};
static const char *const loops[] = {"loop0"};
static const char *const operators[] = {"conv", "pool"};

static void bind_program(Fixture *fixture, const LunaProgramInfo *program) {
  LunaProgramPointers pointers = {.arena = fixture->arena,
                                  .psram = fixture->psram};
  CHECK(luna_simulator_bind(fixture->sim, program, &pointers, NULL));
  luna_simulator_begin_run(fixture->sim);
}

static const LunaProgramInfo branching = {
    .name = "net",
    .arena_bytes = FIXTURE_BYTES,
    .weight_bytes = 64,
    .operators = operators,
    .operator_count = 2,
    .branches = branches,
    .branch_count = 2,
    .loops = loops,
    .loop_count = 1,
};

static void a_path_names_decisions_and_trips(void) {
  Fixture fixture;
  fixture_open(&fixture);
  bind_program(&fixture, &branching);
  CHECK_EQ(luna_rt_branch(0, 1), 1);
  for (int i = 0; i < 3; ++i) {
    luna_rt_loop_iteration(0);
    CHECK_EQ(luna_rt_branch(1, i < 2 ? 4 : 77), i < 2 ? 4 : 77);
  }
  check_clean(&fixture);
  CHECK_STR(luna_simulator_end_run(fixture.sim)->path,
            "if0=then/loop0=3/switch0=4*2,default");
  fixture_close(&fixture);
}

static void a_forced_branch_overrules_the_program(void) {
  Fixture fixture;
  LunaError error = {0};
  fixture_open(&fixture);
  bind_program(&fixture, &branching);
  CHECK(luna_simulator_force_branch(fixture.sim, "if0", "else", &error));
  CHECK(luna_simulator_force_branch(fixture.sim, "switch0", "default", &error));
  CHECK_EQ(luna_rt_branch(0, 1), 0);
  int32_t taken = luna_rt_branch(1, 4);
  CHECK(taken != 0 && taken != 4);
  CHECK_STR(luna_simulator_end_run(fixture.sim)->path,
            "if0=else/switch0=default");
  CHECK(luna_simulator_force_branch(fixture.sim, "if0", NULL, &error));
  CHECK(luna_simulator_force_branch(fixture.sim, "switch0", "4", &error));
  luna_simulator_begin_run(fixture.sim);
  CHECK_EQ(luna_rt_branch(0, 1), 1);
  CHECK_EQ(luna_rt_branch(1, 0), 4);
  CHECK(!luna_simulator_force_branch(fixture.sim, "if9", "else", &error));
  CHECK_STR(error.message, "unknown branch 'if9', the model has if0, switch0");
  CHECK(!luna_simulator_force_branch(fixture.sim, "if0", "2", &error));
  CHECK_STR(error.message,
            "branch 'if0' has no way '2', allowed are then and else");
  CHECK(!luna_simulator_force_branch(fixture.sim, "switch0", "then", &error));
  CHECK_STR(error.message,
            "branch 'switch0' has no way 'then', allowed are default, 0, 4");
  fixture_close(&fixture);
}

static void a_hazard_knows_its_operator_and_path(void) {
  Fixture fixture;
  fixture_open(&fixture);
  bind_program(&fixture, &branching);
  luna_rt_branch(0, 1);
  host_op(1, 1, LUNA_ACCESS_READ, fixture.arena + 16, 4, 3, LUNA_NO_ID);
  luna_rt_loop_iteration(0);
  const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
  CHECK_EQ(result->hazard_count, 1);
  const LunaHazard *hazard = &result->hazards[0];
  CHECK_STR(hazard->op, "pool");
  CHECK_STR(hazard->path, "if0=then");
  CHECK_STR(hazard->range, "arena");
  CHECK_EQ(hazard->offset_bytes, 16);
  CHECK_EQ(hazard->buffer, 3);
  CHECK_STR(hazard->message,
            "operand reads byte 16 of 'arena', which was never written");
  fixture_close(&fixture);
}

static void hazards_beyond_the_limit_are_counted(void) {
  Fixture fixture;
  fixture_open(&fixture);
  for (int i = 0; i < 100; ++i)
    host_op(1, 1, LUNA_ACCESS_READ, fixture.arena + i, 1, 3, LUNA_NO_ID);
  const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
  CHECK_EQ(result->hazard_count, 100);
  CHECK_EQ(result->hazards[LUNA_HAZARDS_KEPT - 1].offset_bytes,
           LUNA_HAZARDS_KEPT - 1);
  fixture_close(&fixture);
}

//===- Programs -----------------------------------------------------------===//

// A program that copies its input to its output, by way of a buffer.
static LunaProgramInfo copying_program(void) {
  static const LunaProgramTensor in = {.name = "in",
                                       .type = LUNA_TYPE_I8,
                                       .rank = 1,
                                       .dims = {6},
                                       .bytes = 6,
                                       .buffer = 2};
  static const LunaProgramTensor out = {.name = "out",
                                        .type = LUNA_TYPE_I8,
                                        .rank = 1,
                                        .dims = {6},
                                        .bytes = 6,
                                        .buffer = 3};
  static const LunaProgramBuffer buffers[] = {
      {.id = 1, .bytes = 6, .name = "t"},
      {.id = 2,
       .memory = LUNA_PROGRAM_INPUT,
       .kind = LUNA_BUFFER_IO,
       .bytes = 6,
       .name = "in"},
      {.id = 3,
       .memory = LUNA_PROGRAM_OUTPUT,
       .kind = LUNA_BUFFER_IO,
       .bytes = 6,
       .name = "out"},
  };
  LunaProgramInfo program = branching;
  program.inputs = &in;
  program.outputs = &out;
  program.input_count = program.output_count = 1;
  program.buffers = buffers;
  program.buffer_count = 3;
  return program;
}

static void a_bound_program_knows_its_values_and_results(void) {
  Fixture fixture;
  fixture_open(&fixture);
  alignas(16) static int8_t input[16], output[16];
  const LunaProgramInfo program = copying_program();
  void *inputs[] = {input}, *outputs[] = {output};
  LunaProgramPointers pointers = {.inputs = inputs,
                                  .outputs = outputs,
                                  .arena = fixture.arena,
                                  .psram = fixture.psram};
  for (int i = 0; i < 16; ++i)
    input[i] = (int8_t)(i + 1);
  for (int is_stored = 0; is_stored < 2; ++is_stored) {
    CHECK(luna_simulator_bind(fixture.sim, &program, &pointers, NULL));
    luna_simulator_begin_run(fixture.sim);
    // Transfers take whole words: the padding comes along, undefined.
    Transfer weights = load(0, 8, 1, LUNA_NO_ID);
    weights.ids[3] = 2;
    luna_rt_dma_wait(0, start(&weights, fixture.arena, input));
    Transfer store = load(1, 8, 3, LUNA_NO_ID);
    store.ids[3] = 1;
    store.desc.direction = LUNA_DMA_STORE;
    host_op(0, 1, LUNA_ACCESS_READ, fixture.arena, 6, 1, LUNA_NO_ID);
    if (is_stored)
      luna_rt_dma_wait(1, start(&store, output, fixture.arena));
    const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
    CHECK_EQ(result->hazard_count, !is_stored);
    if (!is_stored)
      CHECK_STR(result->hazards[0].message,
                "a result reads byte 0 of 'out', which "
                "was never written");
  }
  CHECK_EQ(input[0], 1);
  CHECK(memcmp(input, output, 6) == 0);
  fixture_close(&fixture);
}

static void ranges_that_cannot_be_are_refused(void) {
  Fixture fixture;
  LunaError error = {0};
  fixture_open(&fixture);
  LunaMemoryRange range = {
      "twin", LUNA_SPACE_SHARED, fixture.arena + 16, 16, false, false};
  CHECK(!luna_simulator_add_range(fixture.sim, &range, &error));
  CHECK_STR(error.message, "memory 'twin' overlaps memory 'arena'");
  alignas(16) uint8_t other[64];
  range.base = other + 4;
  CHECK(!luna_simulator_add_range(fixture.sim, &range, &error));
  CHECK_STR(error.message,
            "memory 'twin' does not start at a multiple of 16 bytes");
  range.base = other;
  range.bytes = FIXTURE_BYTES + 1;
  CHECK(!luna_simulator_add_range(fixture.sim, &range, &error));
  CHECK_STR(error.message,
            "memory 'twin' needs 4097 bytes, machine 'toy' has 4096");
  CHECK_EQ(error.code, LUNA_ERROR_CAPACITY);
  CHECK(
      luna_simulator_add_buffer(fixture.sim, 4, fixture.arena, 16, "a", NULL));
  CHECK(!luna_simulator_add_buffer(fixture.sim, 4, fixture.arena, 16, "b",
                                   &error));
  CHECK_STR(error.message, "buffer 'b' has id 4, must be new and at least 0");
  CHECK(!luna_simulator_add_value(fixture.sim, other, 8, 0, 0, &error));
  CHECK_STR(error.message, "value of 8 bytes is not in a registered memory");
  fixture_close(&fixture);
}

static void a_simulator_can_outlive_its_activation(void) {
  Fixture first, second;
  fixture_open(&first);
  fixture_open(&second);
  luna_simulator_activate(first.sim);
  host_op(0, 5, LUNA_ACCESS_READ, NULL, 0, LUNA_NO_ID, LUNA_NO_ID);
  CHECK_EQ(luna_simulator_end_run(first.sim)->cycles, 5);
  CHECK_EQ(luna_simulator_end_run(second.sim)->cycles, 0);
  fixture_close(&first);
  fixture_close(&second);
  luna_simulator_destroy(NULL);
}

static void the_symbol_table_names_the_runtime(void) {
  uint64_t count;
  const LunaRuntimeSymbol *symbols = luna_simulator_symbols(&count);
  CHECK_EQ(count, 14);
  for (uint64_t i = 0; i < count; ++i) {
    CHECK(strncmp(symbols[i].name, "luna_rt_", 8) == 0);
    CHECK(symbols[i].function != NULL);
  }
}

static void a_trace_has_rows_and_times(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 60, 1, 7);
  luna_rt_dma_wait(2, start(&weights, fixture.arena, fixture.weights));
  luna_simulator_end_run(fixture.sim);
  LunaText text = {0};
  luna_simulator_write_trace(fixture.sim, &text);
  // 160 cycles at 250 MHz are 640 ns.
  const char *stall = "    {\n"
                      "      \"ph\": \"X\",\n"
                      "      \"name\": \"op2\",\n"
                      "      \"pid\": 1,\n"
                      "      \"tid\": 4,\n"
                      "      \"ts\": 0.000,\n"
                      "      \"dur\": 0.640,\n"
                      "      \"args\": {\n"
                      "        \"begin cycle\": 0,\n"
                      "        \"cycles\": 160,\n"
                      "        \"transfer\": 1,\n"
                      "        \"started by\": \"op0\",\n"
                      "        \"bytes\": 60,\n"
                      "        \"direction\": \"load\",\n"
                      "        \"buffer\": 1,\n"
                      "        \"content\": 7\n"
                      "      }\n"
                      "    }\n";
  CHECK(strstr(text.data, stall) != NULL);
  CHECK(strstr(text.data, "\"name\": \"DMA\"") != NULL);
  luna_text_deinit(&text);
  fixture_close(&fixture);
}

static void events_stop_at_the_limit(void) {
  LunaMachine machine = fixture_machine();
  LunaSimulatorOptions options = {.event_limit = 2};
  LunaSimulator *sim = luna_simulator_create(&machine, &options);
  luna_simulator_begin_run(sim);
  for (int i = 0; i < 5; ++i)
    host_op(0, 5, LUNA_ACCESS_READ, NULL, 0, LUNA_NO_ID, LUNA_NO_ID);
  uint64_t count;
  luna_simulator_events(sim, &count);
  CHECK_EQ(count, 2);
  CHECK_EQ(luna_simulator_end_run(sim)->cycles, 25);
  luna_simulator_destroy(sim);
}

static void loop_for_ever(void *argument) {
  int *rounds = argument;
  for (;; ++*rounds) {
    luna_rt_loop_iteration(0);
    host_op(0, 400, LUNA_ACCESS_READ, NULL, 0, LUNA_NO_ID, LUNA_NO_ID);
  }
}

static void loop_idly(void *argument) {
  (void)argument;
  for (;;)
    luna_rt_loop_iteration(0);
}

static void a_run_over_the_limit_is_broken_off(void) {
  LunaMachine machine = fixture_machine();
  LunaSimulatorOptions options = {.cycle_limit = 10000};
  LunaSimulator *sim = luna_simulator_create(&machine, &options);
  int rounds = 0;
  const LunaRunResult *result = luna_simulator_run(sim, loop_for_ever, &rounds);
  CHECK(result->is_broken_off);
  CHECK_EQ(rounds, 26);
  CHECK_EQ(result->cycles, 10400);
  CHECK_EQ(result->hazard_count, 1);
  CHECK_EQ(result->hazards[0].kind, LUNA_HAZARD_ENDLESS);
  CHECK_STR(result->path, "loop0=27");
  result = luna_simulator_run(sim, loop_idly, NULL);
  CHECK(result->is_broken_off);
  CHECK_EQ(result->cycles, 0);
  luna_simulator_begin_run(sim);
  CHECK(!luna_simulator_end_run(sim)->is_broken_off);
  luna_simulator_destroy(sim);
}

int main(void) {
  RUN_TEST(a_wait_stalls_until_the_transfer_ends);
  RUN_TEST(a_transfer_behind_computation_costs_nothing);
  RUN_TEST(transfers_queue_on_the_one_engine);
  RUN_TEST(a_unit_operator_takes_host_then_unit);
  RUN_TEST(a_second_run_starts_afresh);
  RUN_TEST(a_path_names_decisions_and_trips);
  RUN_TEST(a_forced_branch_overrules_the_program);
  RUN_TEST(a_hazard_knows_its_operator_and_path);
  RUN_TEST(hazards_beyond_the_limit_are_counted);
  RUN_TEST(a_bound_program_knows_its_values_and_results);
  RUN_TEST(ranges_that_cannot_be_are_refused);
  RUN_TEST(a_simulator_can_outlive_its_activation);
  RUN_TEST(the_symbol_table_names_the_runtime);
  RUN_TEST(a_trace_has_rows_and_times);
  RUN_TEST(events_stop_at_the_limit);
  RUN_TEST(a_run_over_the_limit_is_broken_off);
  return 0;
}
