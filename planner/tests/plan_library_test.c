// What a caller of the library relies on: options of its own size, progress, a
// plan to start from.

#include "check.h"
#include "luna/plan_check.h"
#include "random_program.h"

#include <stddef.h>

enum { MAX_TILES = 1000 };

typedef struct Tile {
  int64_t bytes;
  uint32_t first, end;
} Tile;

typedef struct Tiling {
  Tile tiles[MAX_TILES];
  uint32_t count;
  Random random;
} Tiling;

// Fills a memory of 100 steps by random cuts.
static void cut(Tiling *tiling, uint32_t first, uint32_t end, int64_t bytes) {
  uint32_t steps = end - first;
  bool in_time = random_below(&tiling->random, 2) == 0;
  if (in_time ? steps <= 8 : bytes <= 900) {
    tiling->tiles[tiling->count++] = (Tile){bytes, first, end};
  } else if (in_time) {
    uint32_t middle = first + 1 + random_below(&tiling->random, steps - 1);
    cut(tiling, first, middle, bytes);
    cut(tiling, middle, end, bytes);
  } else {
    int64_t part = 1 + random_below(&tiling->random, (uint32_t)bytes - 1);
    cut(tiling, first, end, part);
    cut(tiling, first, end, bytes - part);
  }
}

// A program in which it takes long to fill the memory again.
static LunaProblem *hard_program(LunaArena *arena) {
  Tiling tiling = {.random = {11}};
  LunaProblem *problem = luna_problem_create(arena);
  for (uint32_t i = 0; i < 100; ++i)
    luna_problem_step(problem, NULL);
  cut(&tiling, 0, 100, 10000);
  for (uint32_t left = tiling.count; left > 0; --left) {
    Tile *tile = &tiling.tiles[random_below(&tiling.random, left)];
    luna_problem_live(problem,
                      luna_problem_add_buffer(
                          problem, &(LunaBuffer){.size_bytes = tile->bytes}),
                      tile->first, tile->end);
    *tile = tiling.tiles[left - 1];
  }
  return problem;
}

static LunaSolution solve(LunaProblem *problem, const LunaPlanOptions *options,
                          LunaArena *arena) {
  LunaSolution solution;
  LunaError error = {0};
  CHECK(luna_plan_solve(problem, options, &solution, &error));
  CHECK(luna_plan_check(problem, solution.offset_bytes, solution.total.bytes,
                        arena, &error));
  return solution;
}

static void options_have_a_size(void) {
  LunaArena arena = {0};
  LunaProblem *problem = hard_program(&arena);
  LunaPlanOptions options = {.struct_size =
                                 offsetof(LunaPlanOptions, hint_offset_bytes),
                             .strategy = "large-first"};
  LunaSolution expected = solve(problem, &options, &arena);
  // What an older caller does not know is not read.
  memset((char *)&options + options.struct_size, 0x5a,
         sizeof options - options.struct_size);
  LunaSolution solution = solve(problem, &options, &arena);
  CHECK_EQ(solution.total.bytes, expected.total.bytes);
  LunaError error = {0};
  options.struct_size = sizeof options + 8;
  CHECK(!luna_plan_solve(problem, &options, &solution, &error));
  CHECK(strncmp(error.message, "options have ", 13) == 0);
  luna_arena_destroy(&arena);
}

typedef struct Listener {
  LunaPlanProgress last;
  uint32_t calls, calls_allowed;
} Listener;

static bool listen(void *context, const LunaPlanProgress *progress) {
  Listener *listener = context;
  CHECK(progress->search_steps >= listener->last.search_steps);
  CHECK(progress->best_bytes == 0 ||
        progress->best_bytes >= progress->lower_bound_bytes);
  listener->last = *progress;
  return ++listener->calls < listener->calls_allowed;
}

static void progress_is_told_and_may_stop(void) {
  LunaArena arena = {0};
  LunaProblem *problem = hard_program(&arena);
  Listener listener = {.calls_allowed = UINT32_MAX};
  LunaPlanOptions options = {.strategy = "optimal",
                             .step_budget = 20000,
                             .progress = listen,
                             .progress_context = &listener};
  LunaSolution whole = solve(problem, &options, &arena);
  CHECK(!whole.is_stopped);
  CHECK_EQ(listener.last.best_bytes, whole.total.bytes);
  uint32_t calls = listener.calls;
  CHECK(calls > 10);
  for (uint32_t allowed = 1; allowed < calls; allowed += 1 + calls / 20) {
    listener = (Listener){.calls_allowed = allowed};
    LunaSolution solution = solve(problem, &options, &arena);
    CHECK(solution.is_stopped);
    CHECK(solution.search_steps <= whole.search_steps);
    CHECK(solution.total.bytes >= whole.total.bytes);
  }
  luna_arena_destroy(&arena);
}

static void a_plan_to_start_from_is_kept(void) {
  LunaArena arena = {0};
  LunaProblem *problem = hard_program(&arena);
  LunaPlanOptions options = {.strategy = "optimal", .step_budget = 200000};
  LunaSolution slow = solve(problem, &options, &arena);
  options.step_budget = 1;
  LunaSolution quick = solve(problem, &options, &arena);
  CHECK(slow.total.bytes < quick.total.bytes);
  options.hint_offset_bytes = slow.offset_bytes;
  LunaSolution warm = solve(problem, &options, &arena);
  CHECK(warm.total.bytes <= slow.total.bytes);
  // Some offsets may be unknown, and `best` takes them, too.
  int64_t some[MAX_TILES];
  CHECK(slow.buffer_count <= MAX_TILES);
  for (uint32_t i = 0; i < slow.buffer_count; ++i)
    some[i] = i % 10 == 0 ? -1 : slow.offset_bytes[i];
  options.hint_offset_bytes = some;
  solve(problem, &options, &arena);
  options = (LunaPlanOptions){.step_budget = 1,
                              .hint_offset_bytes = slow.offset_bytes};
  warm = solve(problem, &options, &arena);
  CHECK(warm.total.bytes <= slow.total.bytes);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(options_have_a_size);
  RUN_TEST(progress_is_told_and_may_stop);
  RUN_TEST(a_plan_to_start_from_is_kept);
  return 0;
}
