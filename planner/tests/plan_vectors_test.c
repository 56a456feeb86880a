// Published test vectors of other planners, read from a folder outside the
// repository that is named on the command line.

#include "check.h"
#include "json_reader.h"
#include "luna/plan_check.h"
#include "luna/text.h"
#include "plan_objects.h"

static const char *folder;

static const Json *load(const char *name, LunaArena *arena) {
  LunaText text = {0};
  LunaError error = {0};
  char *path = luna_arena_printf(arena, "%s/%s", folder, name);
  CHECK(luna_text_read_file(&text, path, (size_t)1 << 26, &error));
  const Json *json = json_parse(text.data, arena);
  luna_text_deinit(&text);
  return json;
}

static int64_t number_of(const Json *object, const char *key) {
  const Json *member = json_get(object, key);
  CHECK(member != NULL && member->kind == JSON_NUMBER);
  return member->number;
}

// --- shared objects ---------------------------------------------------------

static const struct {
  const char *name;
  void (*assign)(LunaPlanAssignment *assignment, LunaArena *arena);
} assigns[] = {
    {"NAIVE", luna_plan_assign_naive},
    {"EQUALITY", luna_plan_assign_equality},
    {"GREEDY_IN_ORDER", luna_plan_assign_in_order},
    {"GREEDY_BY_BREADTH", luna_plan_assign_by_breadth},
    {"GREEDY_BY_SIZE", luna_plan_assign_by_size},
    {"MINCOSTFLOW", luna_plan_assign_by_flow},
};

static void check_numbers(const Json *expected, const int64_t *found,
                          uint32_t count) {
  CHECK_EQ(count, json_count(expected));
  for (uint32_t i = 0; i < count; ++i)
    CHECK_EQ(found[i], json_at(expected, i)->number);
}

static LunaPlanUsage *read_records(const Json *list, LunaArena *arena) {
  LunaPlanUsage *records =
      LUNA_ARENA_ARRAY(arena, LunaPlanUsage, json_count(list));
  uint32_t count = 0;
  for (const Json *record = list->first; record; record = record->next)
    records[count++] = (LunaPlanUsage){
        .size = number_of(record, "size"),
        .first = (uint32_t)number_of(record, "first_task"),
        .last = (uint32_t)number_of(record, "last_task"),
    };
  return records;
}

static void check_objects(const Json *expected, const LunaPlanUsage *records,
                          uint32_t count, LunaArena *arena) {
  const char *name = json_get(expected, "strategy")->string;
  for (size_t i = 0; i < sizeof assigns / sizeof *assigns; ++i) {
    if (strcmp(assigns[i].name, name) != 0)
      continue;
    LunaPlanAssignment assignment =
        luna_plan_assignment_make(records, count, arena);
    assigns[i].assign(&assignment, arena);
    int64_t *ids = LUNA_ARENA_ARRAY(arena, int64_t, count);
    for (uint32_t k = 0; k < count; ++k)
      ids[k] = assignment.objects[k];
    check_numbers(json_get(expected, "object_ids"), ids, count);
    check_numbers(json_get(expected, "object_sizes"), assignment.object_sizes,
                  assignment.object_count);
    return;
  }
  CHECK(!"a strategy is unknown");
}

// Records are live in all tasks from the first to the last.
static LunaProblem *problem_of(const LunaPlanUsage *records, uint32_t count,
                               int64_t align_bytes, LunaArena *arena) {
  LunaProblem *problem = luna_problem_create(arena);
  uint32_t steps = 0;
  for (uint32_t i = 0; i < count; ++i)
    steps = steps <= records[i].last ? records[i].last + 1 : steps;
  for (uint32_t i = 0; i < steps; ++i)
    luna_problem_step(problem, NULL);
  for (uint32_t i = 0; i < count; ++i) {
    LunaBuffer buffer = {.size_bytes = records[i].size,
                         .align_bytes = align_bytes};
    luna_problem_live(problem, luna_problem_add_buffer(problem, &buffer),
                      records[i].first, records[i].last + 1);
  }
  return problem;
}

static LunaSolution solve(LunaProblem *problem, const char *strategy,
                          LunaArena *arena) {
  LunaSolution solution;
  LunaError error = {0};
  LunaPlanOptions options = {.strategy = strategy, .step_budget = 200000};
  CHECK(luna_plan_solve(problem, &options, &solution, &error));
  CHECK(luna_plan_check(problem, solution.offset_bytes, solution.total.bytes,
                        arena, &error));
  return solution;
}

static void check_offsets(const Json *expected, const LunaPlanUsage *records,
                          uint32_t count, LunaArena *arena) {
  LunaProblem *problem = problem_of(
      records, count, number_of(expected, "base_addr_align_bytes"), arena);
  LunaSolution solution = solve(problem, "tflite-offset-greedy-by-size", arena);
  check_numbers(json_get(expected, "offsets"), solution.offset_bytes, count);
  CHECK_EQ(solution.total.bytes, number_of(expected, "total_size"));
}

static void check_conversion(const Json *expected, LunaArena *arena) {
  const Json *sizes = json_get(expected, "object_sizes");
  const Json *ids = json_get(expected, "object_ids");
  uint32_t count = json_count(sizes);
  int64_t *object_sizes = LUNA_ARENA_ARRAY(arena, int64_t, count);
  int64_t *places = LUNA_ARENA_ARRAY(arena, int64_t, count);
  int64_t *offsets = LUNA_ARENA_ARRAY(arena, int64_t, json_count(ids));
  for (uint32_t i = 0; i < count; ++i)
    object_sizes[i] = json_at(sizes, i)->number;
  int64_t total =
      luna_plan_objects_to_offsets(object_sizes, NULL, count, 0, places);
  for (uint32_t i = 0; i < json_count(ids); ++i)
    offsets[i] = places[json_at(ids, i)->number];
  check_numbers(json_get(expected, "offsets"), offsets, json_count(ids));
  if (json_get(expected, "total_size"))
    CHECK_EQ(total, number_of(expected, "total_size"));
}

static void tflite_assignments_are_reproduced(void) {
  LunaArena arena = {0};
  const Json *json = load("tflite_cases.json", &arena);
  int count = 0, skipped = 0;
  for (const Json *one = json_get(json, "cases")->first; one; one = one->next) {
    bool is_bytes = strcmp(json_get(one, "size_type")->string, "size_t") == 0;
    if (!is_bytes)
      printf("  skipped: %s (texture shapes)\n", json_get(one, "name")->string);
    const Json *records = json_get(one, "usage_records");
    for (const Json *expected = json_get(one, "expect")->first; expected;
         expected = expected->next) {
      skipped += !is_bytes;
      if (!is_bytes)
        continue;
      ++count;
      if (!records) {
        check_conversion(expected, &arena);
        continue;
      }
      const LunaPlanUsage *list = read_records(records, &arena);
      if (json_get(expected, "base_addr_align_bytes"))
        check_offsets(expected, list, json_count(records), &arena);
      else
        check_objects(expected, list, json_count(records), &arena);
    }
  }
  printf("  %d assignments reproduced, %d skipped\n", count, skipped);
  CHECK_EQ(count, 33);
  luna_arena_destroy(&arena);
}

static void tflite_positional_maximums_are_reproduced(void) {
  LunaArena arena = {0};
  const Json *json = load("tflite_cases.json", &arena);
  const Json *list =
      json_get(json_get(json, "internal"), "task_profiles_and_positional_max");
  for (const Json *one = list->first; one; one = one->next) {
    const Json *rows = json_get(one, "usage_records");
    uint32_t count = json_count(rows), maximum_count = 0;
    LunaPlanUsage *records = LUNA_ARENA_ARRAY(&arena, LunaPlanUsage, count);
    for (uint32_t i = 0; i < count; ++i)
      records[i] = (LunaPlanUsage){
          .size = json_at(json_at(rows, i), 0)->number,
          .first = (uint32_t)json_at(json_at(rows, i), 1)->number,
          .last = (uint32_t)json_at(json_at(rows, i), 2)->number,
      };
    const int64_t *maximums =
        luna_plan_positional_maximums(records, count, &maximum_count, &arena);
    check_numbers(json_get(one, "positional_max"), maximums, maximum_count);
  }
  luna_arena_destroy(&arena);
}

// --- figures of other planners ----------------------------------------------

// Every strategy gives a valid plan, and search one no larger than a plan
// published (0: none) and no smaller than a bound published.
static void check_figures(LunaProblem *problem, int64_t plan_bytes,
                          int64_t bound_bytes, LunaArena *arena) {
  for (uint32_t i = 0; i < luna_strategy_count(); ++i)
    solve(problem, luna_strategy_name(i), arena);
  LunaSolution solution = solve(problem, "optimal", arena);
  CHECK(plan_bytes == 0 || solution.total.bytes <= plan_bytes);
  CHECK(solution.total.bytes >= bound_bytes);
}

// Intervals as rows of three numbers, in the order given.
static LunaProblem *problem_of_rows(const Json *rows, int size, int first,
                                    int last, LunaArena *arena) {
  uint32_t count = json_count(rows);
  LunaPlanUsage *records = LUNA_ARENA_ARRAY(arena, LunaPlanUsage, count);
  for (uint32_t i = 0; i < count; ++i) {
    const Json *row = json_at(rows, i);
    records[i] = (LunaPlanUsage){
        .size = json_at(row, (uint32_t)size)->number,
        .first = (uint32_t)json_at(row, (uint32_t)first)->number,
        .last = (uint32_t)json_at(row, (uint32_t)last)->number,
    };
  }
  return problem_of(records, count, 1, arena);
}

static void tflm_figures_are_met(void) {
  LunaArena arena = {0};
  const Json *json = load("tflm_cases.json", &arena);
  for (const Json *one = json_get(json, "cases")->first; one; one = one->next) {
    const Json *figure = json_get(one, "max_memory");
    LunaProblem *problem = problem_of_rows(
        json_get(one, "buffers_size_first_last_inclusive"), 0, 1, 2, &arena);
    check_figures(problem, figure->number, 0, &arena);
  }
  luna_arena_destroy(&arena);
}

static void vela_figures_are_met(void) {
  LunaArena arena = {0};
  const Json *json = load("vela_hillclimb_cases.json", &arena);
  for (const Json *one = json_get(json, "cases")->first; one; one = one->next) {
    LunaProblem *problem =
        problem_of_rows(json_get(one, "lrs"), 2, 0, 1, &arena);
    check_figures(problem, number_of(one, "expected_size"), 0, &arena);
  }
  luna_arena_destroy(&arena);
}

static void usmp_bounds_are_met(void) {
  LunaArena arena = {0};
  const Json *json = load("usmp_cases.json", &arena);
  for (const Json *one = json_get(json, "interval_cases")->first; one;
       one = one->next) {
    LunaProblem *problem = problem_of_rows(
        json_get(one, "intervals_inclusive_start_end_size"), 2, 0, 1, &arena);
    int64_t bound = number_of(one, "expected_lower_bound");
    check_figures(problem, bound, bound, &arena);
  }
  luna_arena_destroy(&arena);
}

static uint32_t index_of(const Json *object, const char *key) {
  uint32_t index = 0;
  for (const Json *member = object->first; member; member = member->next) {
    if (strcmp(member->key, key) == 0)
      return index;
    ++index;
  }
  CHECK(!"a conflict names a buffer that does not exist");
  return 0;
}

static bool lists(const Json *conflicts, const char *a, const char *b) {
  const Json *row = json_get(conflicts, a);
  for (const Json *other = row ? row->first : NULL; other; other = other->next)
    if (strcmp(other->string, b) == 0)
      return true;
  return false;
}

// Returns true if each of two buffers in conflict lists the other.
static bool is_symmetric(const Json *conflicts) {
  for (const Json *row = conflicts->first; row; row = row->next)
    for (const Json *other = row->first; other; other = other->next)
      if (!lists(conflicts, other->string, row->key))
        return false;
  return true;
}

// Any conflicts can be said by lifetimes with gaps: a step for each.
static LunaProblem *problem_of_conflicts(const Json *one, LunaArena *arena) {
  LunaProblem *problem = luna_problem_create(arena);
  const Json *sizes = json_get(one, "sizes");
  for (const Json *size = sizes->first; size; size = size->next) {
    LunaBuffer buffer = {.name = size->key, .size_bytes = size->number};
    luna_problem_add_buffer(problem, &buffer);
  }
  for (const Json *row = json_get(one, "conflicts")->first; row;
       row = row->next)
    for (const Json *other = row->first; other; other = other->next) {
      uint32_t step = luna_problem_step(problem, NULL);
      luna_problem_live(problem, index_of(sizes, row->key), step, step + 1);
      luna_problem_live(problem, index_of(sizes, other->string), step,
                        step + 1);
    }
  return problem;
}

static void usmp_conflict_graphs_are_met(void) {
  LunaArena arena = {0};
  const Json *json = load("usmp_cases.json", &arena);
  for (const Json *one = json_get(json, "conflict_graph_cases")->first; one;
       one = one->next) {
    const Json *pools = json_get(one, "pools");
    const Json *conflicts = json_get(one, "conflicts");
    if ((pools && pools->kind != JSON_STRING) || !is_symmetric(conflicts)) {
      printf("  skipped: %s (%s)\n", json_get(one, "name")->string,
             pools && pools->kind != JSON_STRING ? "pools of limited size"
                                                 : "one-sided conflicts");
      continue;
    }
    int64_t least = 0;
    const Json *figures = json_get(one, "expected_workspace");
    for (const Json *figure = figures ? figures->first : NULL; figure;
         figure = figure->next)
      if (figure->kind == JSON_NUMBER && (least == 0 || figure->number < least))
        least = figure->number;
    check_figures(problem_of_conflicts(one, &arena), least, 0, &arena);
  }
  luna_arena_destroy(&arena);
}

// `+a10` makes a, `-a` frees it, `c~a40` makes c in the place of a.
static LunaProblem *problem_of_ops(const Json *ops, int64_t align_bytes,
                                   LunaArena *arena) {
  LunaProblem *problem = luna_problem_create(arena);
  uint32_t ids[128] = {0}, births[128] = {0}, step = 0;
  for (const Json *op = ops->first; op; op = op->next, ++step) {
    const char *text = op->string;
    luna_problem_step(problem, text);
    if (text[0] == '-') {
      int dead = text[1];
      luna_problem_live(problem, ids[dead], births[dead], step);
      continue;
    }
    bool is_new = text[0] == '+';
    int name = is_new ? text[1] : text[0];
    LunaBuffer buffer = {.size_bytes =
                             strtoll(text + (is_new ? 2 : 3), NULL, 10),
                         .align_bytes = align_bytes};
    ids[name] = luna_problem_add_buffer(problem, &buffer);
    births[name] = step;
    if (!is_new)
      luna_problem_alias(problem, ids[name], ids[(int)text[2]]);
  }
  return problem;
}

static void xla_figures_are_met(void) {
  LunaArena arena = {0};
  const Json *json = load("xla_heap_cases.json", &arena);
  for (const Json *one = json_get(json, "cases")->first; one; one = one->next) {
    const char *reason = NULL;
    const Json *align = json_get(one, "alignment");
    if (!json_get(one, "ops"))
      reason = "preferred offsets";
    else if (json_get(one, "heaps"))
      reason = "several heaps";
    else if (align && (align->number & (align->number - 1)) != 0)
      reason = "alignment is no power of two";
    if (reason) {
      printf("  skipped: %s (%s)\n", json_get(one, "name")->string, reason);
      continue;
    }
    LunaProblem *problem =
        problem_of_ops(json_get(one, "ops"), align ? align->number : 1, &arena);
    check_figures(problem, number_of(one, "heap_size"), 0, &arena);
  }
  luna_arena_destroy(&arena);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  folder = argv[1];
  RUN_TEST(tflite_assignments_are_reproduced);
  RUN_TEST(tflite_positional_maximums_are_reproduced);
  RUN_TEST(tflm_figures_are_met);
  RUN_TEST(vela_figures_are_met);
  RUN_TEST(usmp_bounds_are_met);
  RUN_TEST(usmp_conflict_graphs_are_met);
  RUN_TEST(xla_figures_are_met);
  return 0;
}
