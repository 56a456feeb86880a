// Memory that runs out at any point is an error, and nothing leaks. The linker
// puts the functions below in place of malloc and free (--wrap).

#include "check.h"
#include "luna/order.h"
#include "luna/plan_check.h"
#include "luna/plan_coalesce.h"
#include "luna/plan_csv.h"
#include "luna/plan_orient.h"

// The linker gives these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
void *__real_malloc(size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

// The number of calls that succeed from now on, and of blocks in use.
static uint32_t allowed = UINT32_MAX, in_use;

void *__wrap_malloc(size_t bytes) {
  if (allowed == 0)
    return NULL;
  allowed -= allowed != UINT32_MAX;
  void *block = __real_malloc(bytes);
  in_use += block != NULL;
  return block;
}

void *__wrap_realloc(void *block, size_t bytes) {
  if (allowed == 0)
    return NULL;
  allowed -= allowed != UINT32_MAX;
  void *moved = __real_realloc(block, bytes);
  in_use += block == NULL && moved != NULL;
  return moved;
}

void __wrap_free(void *block) {
  in_use -= block != NULL;
  __real_free(block);
}

static LunaProblem *build(LunaArena *arena) {
  LunaProblem *problem = luna_problem_create(arena);
  if (!problem)
    return NULL;
  LunaBufferId image = luna_problem_add_buffer(
      problem, &(LunaBuffer){.name = "image", .size_bytes = 3000});
  luna_problem_define(problem, luna_problem_step(problem, "load"), image);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  for (uint32_t branch = 0; branch < 200; ++branch) {
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    for (uint32_t i = 0; i < 8; ++i) {
      LunaBufferId value = luna_problem_add_buffer(
          problem, &(LunaBuffer){.size_bytes = 700 + 13 * ((i * branch) % 50),
                                 .kind = (LunaBufferKind)(i % 3)});
      LunaStepId step = luna_problem_step(problem, NULL);
      luna_problem_use(problem, step, image);
      luna_problem_define(problem, step, value);
      luna_problem_live(problem, value, step, step + 1);
    }
    LunaBufferId copy =
        luna_problem_add_buffer(problem, &(LunaBuffer){.size_bytes = 3000});
    luna_problem_move(problem, luna_problem_step(problem, NULL), image, copy);
    luna_problem_read(problem, luna_problem_step(problem, NULL), copy);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);
  return problem;
}

static bool expect(bool ok, const LunaError *error) {
  CHECK(ok || error->code == LUNA_ERROR_MEMORY);
  CHECK(ok || strstr(error->message, "memory ran out") != NULL);
  return ok;
}

static bool orient(LunaProblem *problem) {
  static const LunaPlanSymbol symbol = {"s", 1, 3};
  static const LunaSizeTerm terms[] = {{64, 1, {0}}};
  static LunaSize sizes[2000];
  LunaError error = {0};
  LunaRangePlan plan;
  LunaOrientOptions options = {.step_budget = 50};
  LunaPlanSizes all = {&symbol, 1, sizes};
  for (uint32_t i = 0; i < 2000; ++i)
    sizes[i] = (LunaSize){terms, 1};
  return expect(luna_plan_orient(problem, &all, &options, &plan, &error),
                &error);
}

static bool plan(LunaProblem *problem, LunaArena *arena) {
  LunaError error = {0};
  LunaSolution solution;
  LunaPathList paths;
  LunaPlanOptions options = {.strategy = "optimal", .step_budget = 50};
  LunaProgramBound bound;
  LunaCoalescing joined;
  return expect(luna_problem_bound(problem, &bound, &error), &error) &&
         expect(luna_plan_coalesce(problem, NULL, &joined, &error), &error) &&
         expect(luna_plan_solve(problem, &options, &solution, &error),
                &error) &&
         expect(luna_plan_check(problem, solution.offset_bytes,
                                solution.total.bytes, arena, &error),
                &error) &&
         orient(problem) &&
         expect(luna_plan_paths(problem, solution.offset_bytes, &paths, &error),
                &error);
}

static void programs_that_outgrow_memory_are_refused(void) {
  bool is_planned = false;
  uint32_t failures = 0;
  // Few calls at first, then more at a time: all planning takes thousands.
  for (uint32_t calls = 0; !is_planned; calls += 1 + calls / 10) {
    LunaArena arena = {0};
    allowed = calls;
    LunaProblem *problem = build(&arena);
    is_planned = problem && plan(problem, &arena);
    failures += !is_planned;
    allowed = UINT32_MAX;
    luna_arena_destroy(&arena);
    CHECK_EQ(in_use, 0);
  }
  CHECK(failures > 20);
}

static void what_was_built_can_be_planned_again(void) {
  LunaArena arena = {0};
  LunaProblem *problem = build(&arena);
  allowed = 6;
  CHECK(!plan(problem, &arena));
  allowed = UINT32_MAX;
  CHECK(plan(problem, &arena));
  luna_arena_destroy(&arena);
  CHECK_EQ(in_use, 0);
}

static bool write_again(const LunaPlanCsv *csv, LunaError *error) {
  static int64_t offset_bytes[2000];
  LunaText text = {0};
  bool is_written = expect(
      luna_plan_csv_write(csv, &(LunaSolution){.offset_bytes = offset_bytes},
                          &text, error),
      error);
  luna_text_deinit(&text);
  return is_written;
}

static void files_that_outgrow_memory_are_refused(void) {
  static char text[40000];
  size_t length = (size_t)snprintf(text, sizeof text, "id,lower,upper,size\n");
  for (uint32_t i = 0; i < 2000; ++i)
    length += (size_t)snprintf(text + length, sizeof text - length,
                               "b%u,%u,%u,8\n", i, i, i + 5);
  bool is_read = false;
  uint32_t failures = 0;
  for (uint32_t calls = 0; !is_read; ++calls) {
    LunaArena arena = {0};
    LunaError error = {0};
    LunaPlanCsv csv;
    allowed = calls;
    LunaPlanSizes sizes;
    is_read =
        expect(luna_plan_csv_read(text, length, "f.csv", &arena, &csv, &error),
               &error) &&
        expect(luna_plan_csv_read_open(text, length, "f.csv", &arena, &csv,
                                       &sizes, &error),
               &error) &&
        write_again(&csv, &error);
    failures += !is_read;
    allowed = UINT32_MAX;
    luna_arena_destroy(&arena);
    CHECK_EQ(in_use, 0);
  }
  CHECK(failures > 1);
}

static bool order(const char *text, size_t length, LunaArena *arena) {
  LunaError error = {0};
  LunaOrderGraph *graph = NULL;
  LunaOrderSolution solution;
  LunaOrderOptions options = {.step_budget = 1000000};
  return expect(
             luna_order_read_text(text, length, "f.g", arena, &graph, &error),
             &error) &&
         expect(luna_order_solve(graph, &options, &solution, &error), &error);
}

static void graphs_that_outgrow_memory_are_refused(void) {
  static char text[40000];
  size_t length = (size_t)snprintf(text, sizeof text, "600\n9 0\n9 1 0\n");
  for (uint32_t i = 2; i < 600; ++i)
    length += (size_t)snprintf(text + length, sizeof text - length,
                               "%u 2 %u %u\n", i % 90, i - 1 - i % 2, i / 2);
  bool is_ordered = false;
  uint32_t failures = 0;
  for (uint32_t calls = 0; !is_ordered; calls += 1 + calls / 10) {
    LunaArena arena = {0};
    allowed = calls;
    is_ordered = order(text, length, &arena);
    failures += !is_ordered;
    allowed = UINT32_MAX;
    luna_arena_destroy(&arena);
    CHECK_EQ(in_use, 0);
  }
  CHECK(failures > 5);
}

int main(void) {
  RUN_TEST(graphs_that_outgrow_memory_are_refused);
  RUN_TEST(programs_that_outgrow_memory_are_refused);
  RUN_TEST(what_was_built_can_be_planned_again);
  RUN_TEST(files_that_outgrow_memory_are_refused);
  return 0;
}
