#include "luna/report_fill.h"

#include "check.h"
#include "mlir-c/BuiltinAttributes.h"

static const char plan_text[] =
    "{machine = \"venus\", strategy = \"optimal\", merge = \"path\","
    " capacity_bytes = 655360 : i64, total_bytes = 300 : i64,"
    " lower_bound_bytes = 280 : i64, tensor_bytes = 200 : i64,"
    " tensor_lower_bound_bytes = 190 : i64, staging_bytes = 100 : i64,"
    " scratch_bytes = 0 : i64, state_bytes = 0 : i64, optimal = false,"
    " per_strategy = [{strategy = \"naive\", merge = \"none\","
    " tensor_bytes = 900 : i64, total_bytes = 1000 : i64}],"
    " steps = [\"stem\", \"a\", \"b\", \"last\"],"
    " step_paths = [\"straight\", \"if0=then\", \"if0=else\", \"straight\"],"
    " buffers = [{id = 0 : i64, name = \"x\", kind = \"tensor\","
    " bytes = 100 : i64, offset = 0 : i64, live = array<i64: 0, 2>},"
    " {id = 3 : i64, name = \"w\", kind = \"staging\", bytes = 100 : i64,"
    " offset = 200 : i64, live = array<i64: 0, 4>},"
    " {id = 0 : i64, name = \"y\", kind = \"tensor\", bytes = 120 : i64,"
    " offset = 0 : i64, live = array<i64: 1, 2, 3, 4>}],"
    " paths = [{path = \"if0=then\", steps = array<i64: 0, 2, 3, 4>},"
    " {path = \"if0=else\", steps = array<i64: 0, 1, 2, 4>}]}";

static const char cost_text[] =
    "[{path = \"if0=else\", cycles = 70 : i64, compute = 40 : i64,"
    " host = 20 : i64, stall = 10 : i64, dma = 30 : i64, bound = 60 : i64}]";

typedef struct Fixture {
  MlirContext context;
  LunaArena arena;
  LunaReportBuilder builder;
} Fixture;

static MlirAttribute parse(MlirContext context, const char *text) {
  return mlirAttributeParseGet(context, mlirStringRefCreateFromCString(text));
}

static Fixture begin(void) {
  Fixture fixture = {.context = mlirContextCreate()};
  return fixture;
}

static void end(Fixture *fixture) {
  luna_arena_destroy(&fixture->arena);
  mlirContextDestroy(fixture->context);
}

static void fill(Fixture *fixture) {
  LunaError error = {0};
  CHECK(luna_report_begin(&fixture->builder, &fixture->arena,
                          parse(fixture->context, plan_text),
                          parse(fixture->context, cost_text), &error));
}

static void plan_becomes_data(void) {
  Fixture fixture = begin();
  fill(&fixture);
  const LunaReportData *data = &fixture.builder.data;
  CHECK_STR(data->machine, "venus");
  CHECK_STR(data->strategy, "optimal");
  CHECK_EQ(data->capacity_bytes, 655360);
  CHECK_EQ(data->total.lower_bound_bytes, 280);
  CHECK_EQ(data->tensor.lower_bound_bytes, 190);
  CHECK(!data->is_optimal);
  CHECK_EQ(data->row_count, 1);
  CHECK_EQ(data->rows[0].total_bytes, 1000);
  CHECK_EQ(data->step_count, 4);
  CHECK_STR(data->steps[2].path, "if0=else");
  CHECK_EQ(data->path_count, 2);
  CHECK_EQ(data->paths[1].steps[1].first, 2);
  CHECK_EQ(data->paths[1].predicted.total, 70);
  CHECK_EQ(data->paths[0].predicted.total, 0);
  end(&fixture);
}

static void entries_of_one_place_become_one_buffer(void) {
  Fixture fixture = begin();
  fill(&fixture);
  const LunaReportData *data = &fixture.builder.data;
  CHECK_EQ(data->buffer_count, 2);
  CHECK_STR(data->buffers[0].name, "x");
  CHECK_EQ(data->buffers[0].size_bytes, 120);
  CHECK_EQ(data->buffers[0].live_count, 2);
  CHECK_EQ(data->buffers[0].live[0].end, 2);
  CHECK_EQ(data->buffers[0].live[1].first, 3);
  CHECK_EQ(data->buffers[1].kind, LUNA_REPORT_STAGING);
  end(&fixture);
}

static void data_makes_a_page(void) {
  Fixture fixture = begin();
  fill(&fixture);
  LunaText html = {0};
  LunaError error = {0};
  CHECK(luna_report_html(&fixture.builder.data, &html, &error));
  CHECK(strstr(html.data, "if0=else") != NULL);
  luna_text_deinit(&html);
  end(&fixture);
}

static void a_run_goes_to_its_path(void) {
  Fixture fixture = begin();
  fill(&fixture);
  LunaMachine machine = {.name = "m", .alignment_bytes = 16};
  LunaSimulator *simulator = luna_simulator_create(&machine, NULL);
  LunaProgramInfo program = {0};
  static const LunaHazard hazards[] = {{.kind = LUNA_HAZARD_READ_IN_FLIGHT,
                                        .op = "a",
                                        .message = "bytes 0 to 16"}};
  static const LunaOpStatistics ops[] = {{.name = "a", .calls = 2},
                                         {.name = "never"}};
  LunaRunResult result = {.cycles = 500,
                          .compute_cycles = 300,
                          .path = "loop0=3/if0=then",
                          .hazard_count = 1,
                          .hazards = hazards,
                          .ops = ops,
                          .op_count = 2};
  bool is_equal = true;
  luna_report_add_run(&fixture.builder, simulator, &program, &result,
                      &is_equal);
  luna_report_add_synchronous(
      &fixture.builder,
      parse(fixture.context, "[{path = \"if0=then\", cycles = 900 : i64}]"));
  const LunaReportPath *path = &fixture.builder.data.paths[0];
  CHECK_EQ(fixture.builder.data.path_count, 2);
  CHECK_EQ(path->simulated.total, 500);
  CHECK_EQ(path->simulated.synchronous, 900);
  CHECK_EQ(path->op_count, 1);
  CHECK(path->is_checked && path->is_equal);
  CHECK_STR(path->hazards[0], "read in flight, at a: bytes 0 to 16");
  luna_simulator_destroy(simulator);
  end(&fixture);
}

static void an_unknown_path_is_added(void) {
  Fixture fixture = begin();
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

static void a_missing_plan_is_refused(void) {
  Fixture fixture = begin();
  LunaError error = {0};
  MlirAttribute none = {NULL};
  CHECK(
      !luna_report_begin(&fixture.builder, &fixture.arena, none, none, &error));
  CHECK_STR(error.message, "the function has no luna.plan to report");
  end(&fixture);
}

int main(void) {
  RUN_TEST(plan_becomes_data);
  RUN_TEST(entries_of_one_place_become_one_buffer);
  RUN_TEST(data_makes_a_page);
  RUN_TEST(a_run_goes_to_its_path);
  RUN_TEST(an_unknown_path_is_added);
  RUN_TEST(a_missing_plan_is_refused);
  return 0;
}
