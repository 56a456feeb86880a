// Plans from a cache: equal to those without one in every figure; whatever is
// changed in the problem or the options is a miss; nothing found is believed.

#include "luna/plan_cache.h"

#include <stdlib.h>

#include "check.h"
#include "folder.h"
#include "luna/plan_check.h"
#include "luna/plan_saved.h"
#include "random_program.h"

static uint64_t hits(const LunaCacheFixture *fixture) {
  return luna_cache_counters(fixture->cache).hits;
}

static uint64_t rejected(const LunaCacheFixture *fixture) {
  return luna_cache_counters(fixture->cache).damaged;
}

static bool solve_cached(LunaCache *cache, LunaProblem *problem,
                         const LunaPlanOptions *options, LunaSolution *solution,
                         LunaError *error) {
  LunaPlanSource source = luna_plan_cache_source(cache, false);
  return luna_plan_solve_from(&source, problem, options, solution, error);
}

static bool solve_best(LunaCache *cache, LunaProblem *problem,
                       const LunaPlanOptions *options, LunaSolution *solution,
                       LunaError *error) {
  LunaPlanSource source = luna_plan_cache_source(cache, true);
  return luna_plan_solve_from(&source, problem, options, solution, error);
}

//===- Equal solutions ----------------------------------------------------===//

static void check_sizes(const LunaPlanSize *a, const LunaPlanSize *b) {
  CHECK_EQ(a->bytes, b->bytes);
  CHECK_EQ(a->lower_bound_bytes, b->lower_bound_bytes);
  CHECK_EQ(a->placement_bound_bytes, b->placement_bound_bytes);
}

static void check_same(const LunaSolution *a, const LunaSolution *b) {
  CHECK_EQ(a->buffer_count, b->buffer_count);
  for (uint32_t i = 0; i < a->buffer_count; ++i)
    CHECK_EQ(a->offset_bytes[i], b->offset_bytes[i]);
  CHECK_STR(a->strategy, b->strategy);
  CHECK_EQ(a->merge, b->merge);
  check_sizes(&a->total, &b->total);
  check_sizes(&a->tensor, &b->tensor);
  check_sizes(&a->activation, &b->activation);
  check_sizes(&a->scratch, &b->scratch);
  check_sizes(&a->staging, &b->staging);
  CHECK_EQ(a->proof, b->proof);
  CHECK_EQ(a->is_optimal, b->is_optimal);
  CHECK_EQ(a->witness.step, b->witness.step);
  CHECK_STR(a->witness.path, b->witness.path);
  CHECK_EQ(a->witness.bytes, b->witness.bytes);
  CHECK_EQ(a->witness.buffer_count, b->witness.buffer_count);
  CHECK_EQ(a->search_steps, b->search_steps);
  CHECK_EQ(a->cover.group_count, b->cover.group_count);
  CHECK_EQ(a->cover.path_count, b->cover.path_count);
  CHECK_EQ(a->cover.bytes, b->cover.bytes);
  CHECK_EQ(a->row_count, b->row_count);
  for (uint32_t i = 0; i < a->row_count; ++i) {
    CHECK_STR(a->rows[i].strategy, b->rows[i].strategy);
    CHECK_EQ(a->rows[i].merge, b->rows[i].merge);
    CHECK_EQ(a->rows[i].tensor_bytes, b->rows[i].tensor_bytes);
    CHECK_EQ(a->rows[i].total_bytes, b->rows[i].total_bytes);
  }
}

// Plans without a cache, then with one that is cold, then warm.
static void check_three_ways(LunaCacheFixture *fixture, LunaProblem *problem,
                             const LunaPlanOptions *options) {
  LunaSolution solutions[3] = {{0}};
  LunaError errors[3] = {{0}};
  bool ok[3];
  for (int i = 0; i < 3; ++i)
    ok[i] = solve_cached(i == 0 ? NULL : fixture->cache, problem, options,
                         &solutions[i], &errors[i]);
  for (int i = 1; i < 3; ++i) {
    CHECK_EQ(ok[i], ok[0]);
    CHECK_EQ(errors[i].code, errors[0].code);
    CHECK_STR(errors[i].message, errors[0].message);
    if (ok[0] || errors[0].code == LUNA_ERROR_CAPACITY)
      check_same(&solutions[i], &solutions[0]);
  }
}

static void test_same_solution_off_cold_warm(void) {
  enum { PROGRAMS = 60 };
  static const char *const strategies[] = {NULL, "optimal", "large-first"};
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  Random random = {7};
  for (uint32_t i = 0; i < PROGRAMS; ++i) {
    uint32_t count = 2 + random_below(&random, 14);
    LunaProblem *problem =
        i % 3 == 2
            ? random_program_of_moves(&fixture.arena, &random, count, false)
            : random_program(&fixture.arena, &random, count, i % 3 == 0);
    LunaPlanOptions options = {
        .strategy = strategies[i % 3],
        .merge = (LunaMerge)(i % LUNA_MERGE_COUNT),
        .step_budget = i % 2 == 0 ? 0 : 500,
        .capacity_bytes = i % 5 == 0 ? 100 + i : 0,
        .compare = i % 4 == 0,
    };
    check_three_ways(&fixture, problem, &options);
  }
  CHECK(hits(&fixture) >= PROGRAMS / 2); // of some, fixed offsets collide
  CHECK_EQ(rejected(&fixture), 0);
  luna_cache_fixture_close(&fixture);
}

//===- The key ------------------------------------------------------------===//

// What a test changes in the program below, and in the options.
typedef enum Change {
  NOTHING,
  SIZE,
  ALIGNMENT,
  FIXED,
  FIXED_OFFSET,
  KIND,
  ALIAS,
  ANOTHER_BUFFER,
  ANOTHER_STEP,
  DURATION,
  ANOTHER_TOUCH,
  ANOTHER_ACCESS,
  MOVE,
  PINNED,
  ANOTHER_NODE,
  LOOP_EXIT,
  CONDITION,
  NEGATED,
  CHANGES_OF_PROBLEM,
  STRATEGY = CHANGES_OF_PROBLEM,
  MERGE,
  CAPACITY,
  ANY_THAT_FITS,
  BUDGET,
  COMPARE,
  HINT,
  CHANGES
} Change;

static void add_buffers(LunaProblem *problem, Change change) {
  for (int i = 0; i < 4; ++i)
    luna_problem_add_buffer(
        problem,
        &(LunaBuffer){
            .size_bytes = 64 + (change == SIZE && i == 1),
            .align_bytes = change == ALIGNMENT && i == 1 ? 16 : 8,
            .is_fixed = i == 0 || (change == FIXED && i == 1),
            .fixed_offset_bytes = change == FIXED_OFFSET && i == 0 ? 512
                                  : i == 0                         ? 1024
                                                                   : 0,
            .kind = change == KIND && i == 1 ? LUNA_BUFFER_SCRATCH
                                             : LUNA_BUFFER_TENSOR,
        });
  if (change == ANOTHER_BUFFER)
    luna_problem_add_buffer(problem, &(LunaBuffer){.size_bytes = 64});
  if (change == ALIAS)
    luna_problem_alias(problem, 2, 3);
}

static void add_loop(LunaProblem *problem, Change change) {
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);
  luna_problem_use(problem, luna_problem_step(problem, NULL), 1);
  if (change == LOOP_EXIT)
    luna_problem_loop_exit(problem);
  luna_problem_use(problem, luna_problem_step(problem, NULL), 2);
  luna_problem_end(problem);
}

static void add_alternatives(LunaProblem *problem, Change change) {
  for (uint32_t i = 0; i < 2; ++i) {
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    if (i == 1)
      luna_problem_set_condition(problem, change == CONDITION ? 1 : 0,
                                 change == NEGATED);
    for (uint32_t k = 0; k < 2; ++k) {
      luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
      luna_problem_use(problem, luna_problem_step(problem, NULL), 2 + k);
      luna_problem_end(problem);
    }
    luna_problem_end(problem);
  }
}

static LunaProblem *changed_problem(LunaArena *arena, Change change) {
  LunaProblem *problem = luna_problem_create(arena);
  add_buffers(problem, change);
  LunaStepId first = luna_problem_step(problem, NULL);
  luna_problem_define(problem, first, 0);
  luna_problem_define(problem, first, 1);
  if (change == ANOTHER_ACCESS)
    luna_problem_use(problem, first, 2);
  else
    luna_problem_define(problem, first, 2);
  add_loop(problem, change);
  add_alternatives(problem, change);
  LunaStepId last = luna_problem_step(problem, NULL);
  luna_problem_use(problem, last, 1);
  if (change == ANOTHER_STEP)
    luna_problem_step(problem, NULL);
  if (change == DURATION)
    luna_problem_set_duration(problem, last, 2);
  if (change == ANOTHER_TOUCH)
    luna_problem_use(problem, last, 2);
  if (change == MOVE)
    luna_problem_move(problem, last, 2, 3);
  if (change == PINNED)
    luna_problem_live(problem, 3, first, last);
  if (change == ANOTHER_NODE) {
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    luna_problem_end(problem);
  }
  return problem;
}

static LunaPlanOptions changed_options(Change change) {
  static const int64_t hint[5] = {1024, 64, 128, 192};
  return (LunaPlanOptions){
      .strategy = change == STRATEGY ? "optimal" : NULL,
      .merge = change == MERGE ? LUNA_MERGE_LINEAR : LUNA_MERGE_PATH,
      .capacity_bytes = change == CAPACITY ? 4096 : 0,
      .any_that_fits = change == ANY_THAT_FITS,
      .step_budget = change == BUDGET ? 100 : 0,
      .compare = change == COMPARE,
      .hint_offset_bytes = change == HINT ? hint : NULL,
  };
}

// Each field of the key: a change of it is a miss, once.
static void test_every_field_of_the_key_counts(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaSolution solution;
  LunaError error;
  for (int pass = 0; pass < 2; ++pass)
    for (int change = NOTHING; change < CHANGES; ++change) {
      LunaProblem *problem = changed_problem(&fixture.arena, (Change)change);
      LunaPlanOptions options = changed_options((Change)change);
      uint64_t before = hits(&fixture);
      if (!solve_cached(fixture.cache, problem, &options, &solution, &error)) {
        fprintf(stderr, "change %d: %s\n", change, error.message);
        exit(1);
      }
      if (hits(&fixture) - before != (uint64_t)pass) {
        fprintf(stderr, "change %d: found in pass %d\n", change, pass);
        exit(1);
      }
    }
  luna_cache_fixture_close(&fixture);
}

// Names and the bound of the program are no part of the key: what is said of
// the plan follows them.
static void test_names_and_bound_are_not_in_the_key(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaSolution solution;
  for (int i = 0; i < 2; ++i) {
    LunaProblem *problem = luna_problem_create(&fixture.arena);
    LunaProgramBound bound = {.total_bytes = 40 + 20 * i};
    LunaPlanOptions options = {.bound = &bound};
    const char *name = i == 0 ? "one" : "two";
    LunaBufferId buffer = luna_problem_add_buffer(
        problem, &(LunaBuffer){.name = name, .size_bytes = 60});
    luna_problem_begin(problem, LUNA_NODE_LOOP, name);
    luna_problem_use(problem, luna_problem_step(problem, name), buffer);
    luna_problem_end(problem);
    CHECK(solve_cached(fixture.cache, problem, &options, &solution, NULL));
    CHECK_EQ(solution.total.lower_bound_bytes, 40 + 20 * i);
    CHECK_EQ(solution.proof, i == 0 ? LUNA_PROOF_PLACEMENT : LUNA_PROOF_BOUND);
    CHECK_EQ(hits(&fixture), i);
  }
  luna_cache_fixture_close(&fixture);
}

//===- Poisoned entries ---------------------------------------------------===//

// Three buffers of 64 bytes, all live at once, one of them staging.
static LunaProblem *three_buffers(LunaArena *arena) {
  LunaProblem *problem = luna_problem_create(arena);
  LunaStepId step = luna_problem_step(problem, NULL);
  for (int i = 0; i < 3; ++i)
    luna_problem_use(
        problem, step,
        luna_problem_add_buffer(
            problem, &(LunaBuffer){.size_bytes = 64,
                                   .kind = i == 2 ? LUNA_BUFFER_STAGING
                                                  : LUNA_BUFFER_TENSOR}));
  return problem;
}

// Puts the plan of `problem` into the cache with one byte changed.
static void poison(LunaCacheFixture *fixture, LunaProblem *problem,
                   uint64_t at) {
  LunaPlanBytes record, saved;
  LunaSolution solution;
  CHECK(luna_plan_key(problem, NULL, &record, NULL));
  CHECK(luna_plan_solve_saved(problem, NULL, &solution, &saved, NULL));
  CHECK(at < saved.count);
  uint8_t *bytes = malloc(saved.count);
  memcpy(bytes, saved.items, saved.count);
  bytes[at] ^= 0x40;
  LunaCacheKey key = {
      .kind = "plan", .record = record.items, .record_bytes = record.count};
  CHECK(luna_cache_put(fixture->cache, &key, bytes, saved.count));
  free(bytes);
}

// Whatever byte of the value is changed, the plan is one that holds, and no
// proof is claimed that there is not.
static void test_every_byte_of_a_plan(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaPlanBytes saved;
  LunaSolution solution, fresh;
  LunaProblem *problem = three_buffers(&fixture.arena);
  CHECK(luna_plan_solve_saved(problem, NULL, &fresh, &saved, NULL));
  for (uint64_t at = 0; at < saved.count; ++at) {
    poison(&fixture, problem, at);
    CHECK(solve_cached(fixture.cache, problem, NULL, &solution, NULL));
    CHECK(luna_plan_check(problem, solution.offset_bytes, solution.total.bytes,
                          &fixture.arena, NULL));
    CHECK(solution.total.placement_bound_bytes <= solution.total.bytes);
    CHECK(solution.total.bytes >= fresh.total.bytes);
    CHECK(solution.staging.bytes >= 64);
  }
  CHECK(rejected(&fixture) > saved.count / 4);
  luna_cache_fixture_close(&fixture);
}

// The offset of the first buffer is behind state, strategy, treatment and
// proof: two overlap.
static void test_overlap_is_a_miss(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaSolution solution;
  LunaProblem *problem = three_buffers(&fixture.arena);
  poison(&fixture, problem, 1 + 1 + 1 + 8);
  CHECK(solve_cached(fixture.cache, problem, NULL, &solution, NULL));
  CHECK_EQ(rejected(&fixture), 1);
  CHECK_EQ(solution.total.bytes, 192);
  // It was planned and kept anew.
  CHECK(solve_cached(fixture.cache, problem, NULL, &solution, NULL));
  CHECK_EQ(rejected(&fixture), 1);
  CHECK_EQ(hits(&fixture), 2);
  luna_cache_fixture_close(&fixture);
}

// A plan whose proof is by search: 96 bytes, of which 80 are live at once.
static LunaProblem *needs_search(LunaArena *arena) {
  static const int64_t sizes[] = {48, 48, 32, 32};
  static const LunaSteps live[] = {{0, 2}, {3, 5}, {1, 4}, {0, 1}};
  LunaProblem *problem = luna_problem_create(arena);
  for (int i = 0; i < 5; ++i)
    luna_problem_step(problem, NULL);
  for (int i = 0; i < 4; ++i) {
    LunaBufferId id = luna_problem_add_buffer(
        problem, &(LunaBuffer){.size_bytes = sizes[i],
                               .is_fixed = i < 2,
                               .fixed_offset_bytes = i == 1 ? 16 : 0});
    luna_problem_live(problem, id, live[i].first, live[i].end);
  }
  return problem;
}

static void test_proof_needs_trust(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaRestoredPlan restored;
  LunaPlanBytes saved;
  LunaSolution solution;
  LunaProblem *problem = needs_search(&fixture.arena);
  CHECK(luna_plan_solve_saved(problem, NULL, &solution, &saved, NULL));
  CHECK_EQ(solution.proof, LUNA_PROOF_EXHAUSTED);
  CHECK(luna_plan_restore(problem, NULL, saved, true, &restored));
  CHECK_EQ(restored.solution.proof, LUNA_PROOF_EXHAUSTED);
  CHECK(luna_plan_restore(problem, NULL, saved, false, &restored));
  CHECK_EQ(restored.solution.proof, LUNA_PROOF_NONE);
  CHECK_EQ(restored.solution.total.bytes, solution.total.bytes);
  luna_cache_fixture_close(&fixture);
}

//===- The best plan ------------------------------------------------------===//

static int64_t best_bytes(LunaCacheFixture *fixture, LunaProblem *problem,
                          const char *strategy, uint64_t budget) {
  LunaSolution solution;
  LunaPlanOptions options = {.strategy = strategy, .step_budget = budget};
  CHECK(solve_best(fixture->cache, problem, &options, &solution, NULL));
  CHECK(luna_plan_check(problem, solution.offset_bytes, solution.total.bytes,
                        &fixture->arena, NULL));
  return solution.total.bytes;
}

// The first random problem for which more steps give a smaller plan.
static LunaProblem *hard_problem(LunaArena *arena, int64_t *few,
                                 int64_t *many) {
  LunaSolution solution;
  for (uint64_t seed = 1;; ++seed) {
    Random random = {seed};
    LunaProblem *problem = random_program(arena, &random, 40, false);
    LunaPlanOptions options = {.strategy = "optimal", .step_budget = 1};
    if (!luna_plan_solve(problem, &options, &solution, NULL))
      continue;
    *few = solution.total.bytes;
    options.step_budget = 100000;
    CHECK(luna_plan_solve(problem, &options, &solution, NULL));
    *many = solution.total.bytes;
    if (*many < *few)
      return problem;
  }
}

static void test_best_plan_of_any_budget(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  int64_t few = 0, many = 0;
  LunaProblem *problem = hard_problem(&fixture.arena, &few, &many);
  CHECK_EQ(best_bytes(&fixture, problem, "optimal", 1), few);
  CHECK_EQ(best_bytes(&fixture, problem, "optimal", 100000), many);
  CHECK_EQ(best_bytes(&fixture, problem, "optimal", 1), many);
  // Other strategies do as they are told, and what they find is not worse.
  LunaSolution solution;
  LunaPlanOptions options = {.strategy = "naive"};
  CHECK(solve_best(fixture.cache, problem, &options, &solution, NULL));
  CHECK_STR(solution.strategy, "naive");
  CHECK_EQ(best_bytes(&fixture, problem, "optimal", 1), many);
  // Without it, the plan is that of the options.
  options = (LunaPlanOptions){.strategy = "optimal", .step_budget = 1};
  CHECK(solve_cached(fixture.cache, problem, &options, &solution, NULL));
  CHECK_EQ(solution.total.bytes, few);
  luna_cache_fixture_close(&fixture);
}

int main(void) {
  RUN_TEST(test_same_solution_off_cold_warm);
  RUN_TEST(test_every_field_of_the_key_counts);
  RUN_TEST(test_names_and_bound_are_not_in_the_key);
  RUN_TEST(test_every_byte_of_a_plan);
  RUN_TEST(test_overlap_is_a_miss);
  RUN_TEST(test_proof_needs_trust);
  RUN_TEST(test_best_plan_of_any_budget);
  return 0;
}
