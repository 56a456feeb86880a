// Large problems of shapes that once took quadratic time or memory.

#include "check.h"
#include "luna/plan_check.h"
#include "random_program.h"

typedef struct Solved {
  LunaArena arena;
  LunaProblem *problem;
  LunaSolution solution;
} Solved;

static void solve(Solved *solved) {
  LunaError error = {0};
  if (!luna_plan_solve(solved->problem, NULL, &solved->solution, &error)) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  CHECK(luna_plan_check(solved->problem, solved->solution.offset_bytes,
                        solved->solution.total.bytes, &solved->arena, &error));
}

static LunaBufferId add(LunaProblem *problem, int64_t size_bytes,
                        uint32_t first, uint32_t end) {
  LunaBufferId id = luna_problem_add_buffer(
      problem, &(LunaBuffer){.size_bytes = size_bytes, .align_bytes = 8});
  luna_problem_live(problem, id, first, end);
  return id;
}

// Each begins one step later and ends one step earlier.
static void nest(uint32_t count, Solved *solved) {
  solved->problem = luna_problem_create(&solved->arena);
  for (uint32_t i = 0; i < 2 * count; ++i)
    luna_problem_step(solved->problem, NULL);
  for (uint32_t i = 0; i < count; ++i)
    add(solved->problem, 8 + i % 1000, i, 2 * count - i);
}

static void many_buffers_live_at_once_are_planned(void) {
  Solved solved = {0};
  nest(100000, &solved);
  solve(&solved);
  CHECK(solved.solution.total.bytes - solved.solution.total.lower_bound_bytes <
        100);
  luna_arena_destroy(&solved.arena);
}

static void one_overlap_among_many_is_found(void) {
  enum { COUNT = 2000 };
  Solved solved = {0};
  nest(COUNT, &solved);
  static int64_t offsets[COUNT];
  LunaError error = {0};
  for (uint32_t i = 0; i < COUNT; ++i)
    offsets[i] = 2048 * (int64_t)(i * 7 % COUNT);
  CHECK(luna_plan_check(solved.problem, offsets, 0, &solved.arena, &error));
  for (uint32_t i = 1; i < COUNT; i += 97) {
    int64_t kept = offsets[i];
    uint32_t other = (i + 731) % COUNT;
    offsets[i] = offsets[other] + 8 * (int64_t)(i % 2);
    CHECK(!luna_plan_check(solved.problem, offsets, 0, &solved.arena, &error));
    CHECK_EQ(error.item, i > other ? i : other);
    offsets[i] = kept;
  }
  luna_arena_destroy(&solved.arena);
}

// A buffer may reach over many others that are gone by then.
static void what_has_ended_overlaps_nothing(void) {
  enum { COUNT = 3000 };
  Solved solved = {0};
  solved.problem = luna_problem_create(&solved.arena);
  static int64_t offsets[2 * COUNT];
  for (uint32_t i = 0; i < COUNT + 2; ++i)
    luna_problem_step(solved.problem, NULL);
  for (uint32_t i = 0; i < COUNT; ++i) {
    add(solved.problem, 8, 0, i + 1);
    offsets[i] = 8 * i;
  }
  for (uint32_t i = 0; i < COUNT; ++i) {
    add(solved.problem, 8, i + 1, COUNT + 1);
    offsets[COUNT + i] = 8 * i;
  }
  LunaError error = {0};
  CHECK(luna_plan_check(solved.problem, offsets, 8 * COUNT, &solved.arena,
                        &error));
  offsets[COUNT + 1700] += 8;
  CHECK(!luna_plan_check(solved.problem, offsets, 0, &solved.arena, &error));
  luna_arena_destroy(&solved.arena);
}

static void aliases_in_descending_order_are_one_place(void) {
  enum { COUNT = 100000 };
  Solved solved = {0};
  solved.problem = luna_problem_create(&solved.arena);
  for (uint32_t i = 0; i < 2 * COUNT; ++i)
    luna_problem_step(solved.problem, NULL);
  for (uint32_t i = 0; i < COUNT; ++i)
    add(solved.problem, 16, 2 * i, 2 * i + 1);
  for (uint32_t i = COUNT - 1; i > 0; --i)
    luna_problem_alias(solved.problem, i, i - 1);
  add(solved.problem, 32, 1, 2 * COUNT - 1);
  solve(&solved);
  CHECK_EQ(solved.solution.total.bytes, 48);
  luna_arena_destroy(&solved.arena);
}

static void a_wide_switch_has_a_path_for_each_case(void) {
  enum { COUNT = 3000 };
  Solved solved = {0};
  LunaProblem *problem = luna_problem_create(&solved.arena);
  solved.problem = problem;
  LunaBufferId in =
      luna_problem_add_buffer(problem, &(LunaBuffer){.size_bytes = 100});
  luna_problem_define(problem, luna_problem_step(problem, NULL), in);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  for (uint32_t i = 0; i < COUNT; ++i) {
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    LunaBufferId own = luna_problem_add_buffer(
        problem, &(LunaBuffer){.size_bytes = 1 + (int64_t)i});
    LunaStepId step = luna_problem_step(problem, NULL);
    luna_problem_use(problem, step, in);
    luna_problem_define(problem, step, own);
    luna_problem_use(problem, luna_problem_step(problem, NULL), own);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);
  solve(&solved);
  CHECK_EQ(solved.solution.total.bytes, 100 + COUNT);
  LunaPathList list;
  LunaError error = {0};
  CHECK(luna_plan_paths(problem, solved.solution.offset_bytes, &list, &error));
  CHECK_EQ(list.count, COUNT);
  for (uint32_t i = 0; i < COUNT; ++i) {
    // The step before, and both of the case.
    uint32_t steps = 0;
    for (uint32_t k = 0; k < list.paths[i].range_count; ++k)
      steps += list.paths[i].ranges[k].end - list.paths[i].ranges[k].first;
    CHECK_EQ(steps, 3);
    CHECK(list.paths[i].peak_bytes >= list.paths[i].live_bytes);
    CHECK(list.paths[i].live_bytes > 100);
  }
  luna_arena_destroy(&solved.arena);
}

typedef struct Tile {
  int64_t size_bytes;
  uint32_t first, end;
} Tile;

enum { MAX_TILES = 30000 };

typedef struct Tiling {
  Tile tiles[MAX_TILES];
  uint32_t count;
  Random random;
} Tiling;

// Fills all steps from `first` to `end` with `bytes`, cut at random.
static void cut(Tiling *tiling, uint32_t first, uint32_t end, int64_t bytes) {
  uint32_t steps = end - first, units = (uint32_t)(bytes / 8);
  bool in_time = random_below(&tiling->random, 2) == 0;
  if (in_time ? steps <= 6 : units <= 100) {
    tiling->tiles[tiling->count++] = (Tile){bytes, first, end};
  } else if (in_time) {
    uint32_t middle = first + 1 + random_below(&tiling->random, steps - 1);
    cut(tiling, first, middle, bytes);
    cut(tiling, middle, end, bytes);
  } else {
    int64_t lower = 8 + 8 * (int64_t)random_below(&tiling->random, units - 1);
    cut(tiling, first, end, lower);
    cut(tiling, first, end, bytes - lower);
  }
}

// Parts one after another in which greedy orders leave gaps.
static void many_parts_are_searched(void) {
  enum { PARTS = 200, PART_STEPS = 24, BYTES = 3200 };
  static Tiling tiling = {.random = {3}};
  Solved solved = {0};
  solved.problem = luna_problem_create(&solved.arena);
  for (uint32_t i = 0; i < PARTS * PART_STEPS; ++i)
    luna_problem_step(solved.problem, NULL);
  for (uint32_t i = 0; i < PARTS; ++i)
    cut(&tiling, i * PART_STEPS, (i + 1) * PART_STEPS, BYTES);
  for (uint32_t left = tiling.count; left > 0; --left) {
    Tile *tile = &tiling.tiles[random_below(&tiling.random, left)];
    add(solved.problem, tile->size_bytes, tile->first, tile->end);
    *tile = tiling.tiles[left - 1];
  }
  solve(&solved);
  CHECK(tiling.count > 4096);
  CHECK(solved.solution.search_steps > 0);
  CHECK_EQ(solved.solution.total.bytes, BYTES);
  luna_arena_destroy(&solved.arena);
}

// One part, too large to be searched: bands of parts, each band shifted against
// the one below.
static void make_large_part(Solved *solved) {
  enum { BANDS = 4, SHIFT = 6, PARTS = 400, PART_STEPS = 24, BYTES = 1600 };
  static Tiling tiling = {.random = {9}};
  solved->problem = luna_problem_create(&solved->arena);
  for (uint32_t i = 0; i < PARTS * PART_STEPS + BANDS * SHIFT; ++i)
    luna_problem_step(solved->problem, NULL);
  for (uint32_t i = 0; i < BANDS * PARTS; ++i) {
    uint32_t first = i / BANDS * PART_STEPS + i % BANDS * SHIFT;
    cut(&tiling, first, first + PART_STEPS, BYTES);
  }
  for (uint32_t i = 0; i < tiling.count; ++i)
    add(solved->problem, tiling.tiles[i].size_bytes, tiling.tiles[i].first,
        tiling.tiles[i].end);
}

static int64_t solve_large_part(Solved *solved, LunaPlanOptions options) {
  LunaError error = {0};
  options.strategy = "optimal";
  CHECK(luna_plan_solve(solved->problem, &options, &solved->solution, &error));
  CHECK(luna_plan_check(solved->problem, solved->solution.offset_bytes,
                        solved->solution.total.bytes, &solved->arena, &error));
  CHECK(solved->solution.search_steps <= options.step_budget);
  return solved->solution.total.bytes;
}

static void a_part_too_large_to_search_is_improved_in_windows(void) {
  Solved solved = {0};
  make_large_part(&solved);
  int64_t greedy =
      solve_large_part(&solved, (LunaPlanOptions){.step_budget = 1});
  int64_t lowered =
      solve_large_part(&solved, (LunaPlanOptions){.step_budget = 60000});
  CHECK_EQ(solved.solution.search_steps, 60000);
  CHECK(luna_problem_buffer_count(solved.problem) > 16384);
  CHECK(lowered < greedy);
  // A plan to start from is not lost, a capacity ends the search.
  int64_t again = solve_large_part(
      &solved,
      (LunaPlanOptions){.step_budget = 1,
                        .hint_offset_bytes = solved.solution.offset_bytes});
  CHECK(again <= lowered);
  int64_t fitting = solve_large_part(
      &solved, (LunaPlanOptions){.step_budget = 60000,
                                 .capacity_bytes = (greedy + lowered) / 2,
                                 .any_that_fits = true});
  CHECK(fitting <= (greedy + lowered) / 2);
  CHECK(solved.solution.search_steps < 60000);
  luna_arena_destroy(&solved.arena);
}

int main(void) {
  RUN_TEST(many_buffers_live_at_once_are_planned);
  RUN_TEST(one_overlap_among_many_is_found);
  RUN_TEST(what_has_ended_overlaps_nothing);
  RUN_TEST(aliases_in_descending_order_are_one_place);
  RUN_TEST(many_parts_are_searched);
  RUN_TEST(a_part_too_large_to_search_is_improved_in_windows);
  RUN_TEST(a_wide_switch_has_a_path_for_each_case);
  return 0;
}
