#include "luna-c/plan_attr.h"

#include <stddef.h>

#include "check.h"
#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"

static const char plan_text[] =
    "{machine = \"venus\", strategy = \"optimal\", merge = \"block\","
    " capacity_bytes = 655360 : i64, total_bytes = 300 : i64,"
    " lower_bound_bytes = 280 : i64, tensor_bytes = 200 : i64,"
    " placement_bound_bytes = 290 : i64,"
    " tensor_lower_bound_bytes = 190 : i64, activation_bytes = 180 : i64,"
    " tensor_placement_bound_bytes = 195 : i64,"
    " activation_lower_bound_bytes = 170 : i64, staging_bytes = 100 : i64,"
    " activation_placement_bound_bytes = 175 : i64,"
    " scratch_bytes = 20 : i64, state_bytes = 16 : i64, optimal = true,"
    " proof = \"exhausted\", search_steps = 9 : i64,"
    " witness = {bytes = 280 : i64, path = \"if0=then\", step = 1 : i64,"
    " live = [\"x\", \"w\"]},"
    " per_strategy = [{strategy = \"naive\", merge = \"none\","
    " tensor_bytes = 900 : i64, total_bytes = 1000 : i64}],"
    " steps = [\"stem\", \"a\"], step_paths = [\"straight\", \"if0=then\"],"
    " joins = [{name = \"if0#0\", choice = \"pointer\", cycles = 0 : i64,"
    "   bytes = 64 : i64}],"
    " buffers = [{id = 3 : i64, name = \"w\", kind = \"staging\","
    " bytes = 100 : i64, offset = 200 : i64, live = array<i64: 0, 1, 3, 4>}],"
    " paths = [{path = \"if0=then\", peak_bytes = 300 : i64,"
    " live_bytes = 280 : i64, heaviest_step = 1 : i64,"
    " steps = array<i64: 0, 2>}], path_count = 2 : i64,"
    " path_count_is_bound = true, impossible_paths = 1 : i64}";

static const char cost_text[] =
    "{at_most = 80 : i64, paths = [{path = \"if0=then\", cycles = 70 : i64, "
    "compute = 40 : i64,"
    " host = 20 : i64, stall = 10 : i64, dma = 30 : i64, bound = 60 : i64,"
    " transfers = 2 : i64, dma_bytes = 96 : i64,"
    " loops = [{loop = \"loop0\", cycles = 5 : i64}]}]}";

typedef struct Fixture {
  MlirContext context;
  MlirOperation op; // carries the attributes
  LunaArena arena;
  LunaPlanRecord plan;
  LunaCostRecord cost;
  LunaError error;
} Fixture;

static Fixture begin(void) {
  Fixture fixture = {.context = mlirContextCreate()};
  fixture.op = mlirModuleGetOperation(
      mlirModuleCreateEmpty(mlirLocationUnknownGet(fixture.context)));
  return fixture;
}

static void end(Fixture *fixture) {
  luna_arena_destroy(&fixture->arena);
  mlirOperationDestroy(fixture->op);
  mlirContextDestroy(fixture->context);
}

static MlirAttribute parse(const Fixture *fixture, const char *text) {
  MlirAttribute attribute =
      mlirAttributeParseGet(fixture->context, luna_str(text));
  CHECK(!mlirAttributeIsNull(attribute));
  return attribute;
}

static bool read_plan(Fixture *fixture, MlirAttribute attribute) {
  luna_set_attr(fixture->op, "luna.plan", attribute);
  return luna_plan_read(fixture->op, &fixture->arena, &fixture->plan,
                        &fixture->error);
}

static void a_plan_is_read(void) {
  Fixture fixture = begin();
  const LunaPlanRecord *plan = &fixture.plan;
  CHECK(!luna_has_plan(fixture.op));
  CHECK(read_plan(&fixture, parse(&fixture, plan_text)));
  CHECK(luna_has_plan(fixture.op));
  CHECK_STR(plan->machine, "venus");
  CHECK_EQ(plan->merge, LUNA_MERGE_BLOCK);
  CHECK_EQ(plan->tensor.lower_bound_bytes, 190);
  CHECK_EQ(plan->tensor.placement_bound_bytes, 195);
  CHECK(plan->is_optimal);
  CHECK_EQ(plan->proof, LUNA_PROOF_EXHAUSTED);
  CHECK_STR(plan->witness.live[1], "w");
  CHECK_EQ(plan->rows[0].merge, LUNA_MERGE_NONE);
  CHECK_EQ(plan->paths[0].ranges[0].end, 2);
  CHECK_EQ(plan->join_count, 1);
  CHECK_EQ(plan->joins[0].choice, LUNA_JOIN_POINTER);
  CHECK_EQ(plan->joins[0].bytes, 64);
  CHECK_EQ(plan->buffers[0].kind, LUNA_BUFFER_STAGING);
  CHECK_EQ(plan->buffers[0].live.ranges[1].first, 3);
  CHECK_STR(plan->step_paths[1], "if0=then");
  end(&fixture);
}

static void what_is_written_reads_the_same(void) {
  Fixture fixture = begin();
  MlirAttribute plan = parse(&fixture, plan_text),
                cost = parse(&fixture, cost_text);
  CHECK(read_plan(&fixture, plan));
  luna_set_attr(fixture.op, "luna.cost", cost);
  CHECK(luna_cost_read(fixture.op, &fixture.arena, &fixture.cost,
                       &fixture.error));
  CHECK_EQ(fixture.cost.paths[0].dma_bytes, 96);
  luna_set_attr(fixture.op, "luna.plan", cost);
  luna_set_attr(fixture.op, "luna.cost", plan);
  luna_plan_write(fixture.op, &fixture.plan, &fixture.arena);
  luna_cost_write(fixture.op, &fixture.cost, &fixture.arena);
  CHECK(mlirAttributeEqual(luna_attr(fixture.op, "luna.plan"), plan));
  CHECK(mlirAttributeEqual(luna_attr(fixture.op, "luna.cost"), cost));
  end(&fixture);
}

// The plan with entry `index` left out, or null, or replaced.
static MlirAttribute changed(const Fixture *fixture, MlirAttribute plan,
                             intptr_t index, MlirAttribute replacement) {
  MlirNamedAttribute entries[64];
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(plan); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(plan, i);
    if (i == index && mlirAttributeIsNull(replacement))
      continue;
    if (i == index)
      entry.attribute = replacement;
    entries[count++] = entry;
  }
  return mlirDictionaryAttrGet(fixture->context, count, entries);
}

static void an_entry_missing_or_of_another_type_is_refused_by_name(void) {
  Fixture fixture = begin();
  MlirAttribute plan = parse(&fixture, plan_text), none = {NULL},
                other = parse(&fixture, "7 : i32");
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(plan); ++i) {
    MlirStringRef key =
        mlirIdentifierStr(mlirDictionaryAttrGetElement(plan, i).name);
    char expected[128];
    snprintf(expected, sizeof expected,
             "plan attribute '%.*s' is missing or malformed", (int)key.length,
             key.data);
    CHECK(!read_plan(&fixture, changed(&fixture, plan, i, none)));
    CHECK_STR(fixture.error.message, expected);
    CHECK(!read_plan(&fixture, changed(&fixture, plan, i, other)));
    CHECK_STR(fixture.error.message, expected);
  }
  end(&fixture);
}

static void check_refused(Fixture *fixture, const char *from, const char *to,
                          const char *key) {
  char text[sizeof plan_text + 64], expected[128];
  const char *at = strstr(plan_text, from);
  CHECK(at != NULL);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - plan_text), plan_text, to,
           at + strlen(from));
  snprintf(expected, sizeof expected,
           "plan attribute '%s' is missing or malformed", key);
  CHECK(!read_plan(fixture, parse(fixture, text)));
  CHECK_STR(fixture->error.message, expected);
}

static void values_that_make_no_sense_are_refused(void) {
  Fixture fixture = begin();
  check_refused(&fixture, "total_bytes = 300", "total_bytes = -1",
                "total_bytes");
  check_refused(&fixture, "id = 3", "id = 4294967296", "id");
  check_refused(&fixture, "\"block\"", "\"some\"", "merge");
  check_refused(&fixture, "\"staging\"", "\"state\"", "kind");
  check_refused(&fixture, "array<i64: 0, 2>", "array<i64: 2, 1>", "steps");
  check_refused(&fixture, "array<i64: 0, 2>", "array<i64: 0>", "steps");
  check_refused(&fixture, "[\"straight\", ", "[", "step_paths");
  end(&fixture);
}

static void no_plan_is_refused_and_no_cost_is_none(void) {
  Fixture fixture = begin();
  CHECK(!luna_plan_read(fixture.op, &fixture.arena, &fixture.plan,
                        &fixture.error));
  CHECK_STR(fixture.error.message,
            "plan attribute 'luna.plan' is missing or malformed");
  CHECK(luna_cost_read(fixture.op, &fixture.arena, &fixture.cost,
                       &fixture.error));
  CHECK_EQ(fixture.cost.path_count, 0);
  luna_set_attr(fixture.op, "luna.cost", parse(&fixture, "[1]"));
  CHECK(!luna_cost_read(fixture.op, &fixture.arena, &fixture.cost,
                        &fixture.error));
  end(&fixture);
}

static void what_joins_took_reads_the_same_and_is_nothing_elsewhere(void) {
  static const LunaJoinEffort written = {85, 77};
  Fixture fixture = begin();
  LunaJoinEffort effort = {1, 1};
  CHECK(luna_join_effort_read(fixture.op, &fixture.arena, &effort,
                              &fixture.error));
  CHECK(effort.drafts == 0 && effort.plans == 0);
  luna_join_effort_write(fixture.op, &written, &fixture.arena);
  CHECK(luna_join_effort_read(fixture.op, &fixture.arena, &effort,
                              &fixture.error));
  CHECK(memcmp(&effort, &written, sizeof effort) == 0);
  end(&fixture);
}

static void what_operators_share_reads_the_same(void) {
  static const LunaRecordRule rules[] = {{"input", 9}, {"adds", 4}};
  static const LunaCodeRecord written = {257,  53,   1,  846, 130,   2, 5596,
                                         6108, 7504, 20, 11,  rules, 2};
  Fixture fixture = begin();
  LunaCodeRecord code = {0};
  CHECK(!luna_code_read(fixture.op, &fixture.arena, &code, &fixture.error));
  CHECK_STR(fixture.error.message,
            "plan attribute 'luna.code' is missing or malformed");
  luna_code_write(fixture.op, &written, &fixture.arena);
  CHECK(luna_code_read(fixture.op, &fixture.arena, &code, &fixture.error));
  CHECK(memcmp(&code, &written, offsetof(LunaCodeRecord, rules)) == 0);
  CHECK_EQ(code.rule_count, 2);
  CHECK_STR(code.rules[1].rule, "adds");
  CHECK_EQ(code.rules[1].launches, 4);
  end(&fixture);
}

int main(void) {
  RUN_TEST(a_plan_is_read);
  RUN_TEST(what_is_written_reads_the_same);
  RUN_TEST(an_entry_missing_or_of_another_type_is_refused_by_name);
  RUN_TEST(values_that_make_no_sense_are_refused);
  RUN_TEST(no_plan_is_refused_and_no_cost_is_none);
  RUN_TEST(what_joins_took_reads_the_same_and_is_nothing_elsewhere);
  RUN_TEST(what_operators_share_reads_the_same);
  return 0;
}
