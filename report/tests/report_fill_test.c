#include "luna/report_fill.h"

#include "check.h"

static const LunaSteps then_steps[] = {{0, 2}, {3, 4}},
                       else_steps[] = {{0, 1}, {2, 4}}, x_live[] = {{0, 2}},
                       w_live[] = {{0, 4}}, y_live[] = {{1, 2}, {3, 4}};

static const LunaPathPeak paths[] = {
    {.path = "if0=then", .ranges = then_steps, .range_count = 2},
    {.path = "if0=else", .ranges = else_steps, .range_count = 2},
};

// x and y share a place.
static const LunaRecordBuffer buffers[] = {
    {0, "x", LUNA_BUFFER_TENSOR, 100, 0, {x_live, 1}},
    {3, "w", LUNA_BUFFER_STAGING, 100, 200, {w_live, 1}},
    {0, "y", LUNA_BUFFER_TENSOR, 120, 0, {y_live, 2}},
};

static const char *const step_names[] = {"stem", "a", "b", "last"};
static const char *const step_paths[] = {"straight", "if0=then", "if0=else",
                                         "straight"};

static const LunaPlanRecord plan = {
    .machine = "venus",
    .strategy = "optimal",
    .capacity_bytes = 655360,
    .total = {300, 280, 290},
    .paths = paths,
    .path_count = 2,
    .buffers = buffers,
    .buffer_count = 3,
    .step_names = step_names,
    .step_paths = step_paths,
    .step_count = 4,
};

static const LunaPathCost else_cost = {.path = "if0=else",
                                       .cycles = 70,
                                       .compute = 40,
                                       .host = 20,
                                       .stall = 10,
                                       .dma = 30,
                                       .bound = 60};
static const LunaCostRecord cost = {&else_cost, 1, 70};

typedef struct Fixture {
  LunaArena arena;
  LunaReportBuilder builder;
} Fixture;

static void fill(Fixture *fixture) {
  *fixture = (Fixture){0};
  luna_report_begin(&fixture->builder, &fixture->arena, &plan, &cost);
}

static void end(Fixture *fixture) { luna_arena_destroy(&fixture->arena); }

static void plan_becomes_data(void) {
  Fixture fixture;
  fill(&fixture);
  const LunaReportData *data = &fixture.builder.data;
  CHECK_EQ(data->plan.total.lower_bound_bytes, 280);
  CHECK_EQ(data->path_count, 2);
  CHECK_EQ(data->paths[1].steps[1].first, 2);
  CHECK_EQ(data->paths[1].predicted.total, 70);
  CHECK_EQ(data->paths[0].predicted.total, 0);
  end(&fixture);
}

static void entries_of_one_place_become_one_buffer(void) {
  Fixture fixture;
  fill(&fixture);
  const LunaReportData *data = &fixture.builder.data;
  CHECK_EQ(data->buffer_count, 2);
  CHECK_STR(data->buffers[0].name, "x");
  CHECK_EQ(data->buffers[0].size_bytes, 120);
  CHECK_EQ(data->buffers[0].live_count, 2);
  CHECK_EQ(data->buffers[0].live[0].end, 2);
  CHECK_EQ(data->buffers[0].live[1].first, 3);
  CHECK_EQ(data->buffers[1].kind, LUNA_BUFFER_STAGING);
  end(&fixture);
}

static void data_makes_a_page(void) {
  Fixture fixture;
  fill(&fixture);
  LunaText html = {0};
  LunaError error = {0};
  CHECK(luna_report_html(&fixture.builder.data, &html, &error));
  CHECK(strstr(html.data, "if0=else") != NULL);
  luna_text_deinit(&html);
  end(&fixture);
}

static void a_run_goes_to_its_path(void) {
  Fixture fixture;
  fill(&fixture);
  LunaMachine machine = {.name = "m", .alignment_bytes = 16};
  LunaSimulator *simulator = luna_simulator_create(&machine, NULL);
  LunaProgramInfo program = {0};
  static const LunaHazard hazards[] = {{.kind = LUNA_HAZARD_READ_IN_FLIGHT,
                                        .op = "a",
                                        .message = "bytes 0 to 16"}};
  static const LunaOpStatistics ops[] = {
      {.name = "a", .calls = 2, .stall_cycles = 3},
      {.name = "never"},
      {.name = "a", .stall_cycles = 7}, // the wait before it
      {.name = "output", .stall_cycles = 5},
  };
  LunaRunResult result = {.cycles = 500,
                          .compute_cycles = 300,
                          .path = "loop0=3/if0=then",
                          .hazard_count = 1,
                          .hazards = hazards,
                          .ops = ops,
                          .op_count = 4};
  bool is_equal = true;
  luna_report_add_run(&fixture.builder, simulator, &program, &result,
                      &is_equal);
  LunaPathCost synchronous = {.path = "if0=then", .cycles = 900};
  luna_report_add_synchronous(&fixture.builder,
                              &(LunaCostRecord){&synchronous, 1, 900});
  const LunaReportPath *path = &fixture.builder.data.paths[0];
  CHECK_EQ(fixture.builder.data.path_count, 2);
  CHECK_EQ(path->simulated.total, 500);
  CHECK_EQ(path->simulated.synchronous, 900);
  CHECK_EQ(path->op_count, 2);
  CHECK_EQ(path->ops[0].stall_cycles, 10);
  CHECK_STR(path->ops[1].name, "output");
  CHECK_EQ(path->ops[1].stall_cycles, 5);
  CHECK(path->is_checked && path->is_equal);
  CHECK_STR(path->hazards[0], "read in flight, at a: bytes 0 to 16");
  luna_simulator_destroy(simulator);
  end(&fixture);
}

static void an_unknown_path_is_added(void) {
  Fixture fixture;
  fill(&fixture);
  LunaMachine machine = {.name = "m", .alignment_bytes = 16};
  LunaSimulator *simulator = luna_simulator_create(&machine, NULL);
  LunaProgramInfo program = {0};
  LunaRunResult result = {.cycles = 7, .path = ""};
  luna_report_add_run(&fixture.builder, simulator, &program, &result, NULL);
  CHECK_EQ(fixture.builder.data.path_count, 3);
  CHECK_STR(fixture.builder.data.paths[2].name, "straight");
  luna_simulator_destroy(simulator);
  end(&fixture);
}

static void statistics_match_costs_by_path(void) {
  Fixture fixture;
  fill(&fixture);
  fixture.builder.data.dma = "sync";
  LunaText json = {0};
  LunaReportRuns runs = {.slowest.total = 500, .hazard_count = 2};
  luna_report_json(&fixture.builder.data, &runs, &json);
  CHECK(strstr(json.data, "\"mode\": \"sync\"") != NULL);
  CHECK(strstr(json.data, "\"path\": \"if0=then\",\n"
                          "      \"peak_bytes\": 0") != NULL);
  CHECK(strstr(json.data, "\"path\": \"if0=else\",\n"
                          "      \"predicted_cycles\": 70") != NULL);
  CHECK(strstr(json.data, "\"hazards\": 2") != NULL);
  CHECK(strstr(json.data, "\"check\": null") != NULL);
  luna_text_deinit(&json);
  end(&fixture);
}

int main(void) {
  RUN_TEST(plan_becomes_data);
  RUN_TEST(entries_of_one_place_become_one_buffer);
  RUN_TEST(data_makes_a_page);
  RUN_TEST(a_run_goes_to_its_path);
  RUN_TEST(an_unknown_path_is_added);
  RUN_TEST(statistics_match_costs_by_path);
  return 0;
}
