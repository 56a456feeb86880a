// Which moves copy: programs small enough to decide by hand, and random ones
// against all ways to unify the ends of their moves.

#include "check.h"
#include "luna/plan_check.h"
#include "luna/plan_coalesce.h"
#include "plan_problem.h"
#include "simulate.h"

static LunaBufferId add(LunaProblem *problem, const char *name,
                        int64_t size_bytes) {
  return luna_problem_add_buffer(
      problem, &(LunaBuffer){.name = name, .size_bytes = size_bytes});
}

static LunaStepId define(LunaProblem *problem, LunaBufferId buffer) {
  LunaStepId step = luna_problem_step(problem, NULL);
  luna_problem_define(problem, step, buffer);
  return step;
}

static LunaStepId read(LunaProblem *problem, LunaBufferId buffer) {
  LunaStepId step = luna_problem_step(problem, NULL);
  luna_problem_read(problem, step, buffer);
  return step;
}

static void move(LunaProblem *problem, LunaBufferId from, LunaBufferId to) {
  luna_problem_move(problem, luna_problem_step(problem, NULL), from, to);
}

static LunaCoalescing decide(LunaProblem *problem,
                             const LunaCoalesceOptions *options) {
  LunaCoalescing decision;
  LunaError error = {0};
  CHECK(luna_plan_coalesce(problem, options, &decision, &error));
  return decision;
}

static void a_copy_of_what_dies_is_none(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 8), b = add(problem, "b", 8);
  define(problem, a);
  move(problem, a, b);
  read(problem, b);
  LunaCoalescing decision = decide(problem, NULL);
  CHECK_EQ(decision.pair_count, 1);
  CHECK_EQ(decision.pairs[0].a, a);
  CHECK_EQ(decision.pairs[0].b, b);
  CHECK(!decision.is_copy[0]);
  CHECK_EQ(decision.bytes, 8);
  CHECK(decision.is_exhausted);
  luna_arena_destroy(&arena);
}

static void copies_that_stay_equal_share_a_place(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 8), b = add(problem, "b", 8);
  LunaBufferId c = add(problem, "c", 8);
  define(problem, a);
  move(problem, a, b);
  move(problem, a, c);
  read(problem, a);
  read(problem, b);
  luna_problem_use(problem, read(problem, c), a);
  LunaCoalescing decision = decide(problem, NULL);
  // The last step may modify `a` while it reads `c`.
  CHECK_EQ(decision.pair_count, 1);
  CHECK(!decision.is_copy[0]);
  CHECK(decision.is_copy[1]);
  CHECK_EQ(decision.bytes, 16);
  luna_arena_destroy(&arena);
}

// for …: a, b = b, a
static void values_that_swap_stay_apart(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 8), b = add(problem, "b", 8);
  define(problem, a);
  define(problem, b);
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);
  read(problem, a);
  LunaStepId swap = luna_problem_step(problem, NULL);
  luna_problem_move(problem, swap, a, b);
  luna_problem_move(problem, swap, b, a);
  luna_problem_end(problem);
  LunaCoalescing decision = decide(problem, NULL);
  CHECK_EQ(decision.pair_count, 0);
  CHECK(decision.is_copy[0] && decision.is_copy[1]);
  CHECK_EQ(decision.copy_cycles, 2);
  CHECK(decision.is_exhausted);
  luna_arena_destroy(&arena);
}

// A copy in the loop of what the loop does not change; and one of what it does.
static void contents_are_followed_around_the_back_edge(void) {
  for (int changes = 0; changes < 2; ++changes) {
    LunaArena arena = {0};
    LunaProblem *problem = luna_problem_create(&arena);
    LunaBufferId a = add(problem, "a", 8), b = add(problem, "b", 8);
    define(problem, a);
    move(problem, a, b);
    luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);
    read(problem, a);
    read(problem, b);
    if (changes)
      define(problem, a);
    luna_problem_end(problem);
    LunaCoalescing decision = decide(problem, NULL);
    CHECK_EQ(decision.is_copy[0], changes);
    CHECK_EQ(decision.bytes, changes ? 16 : 8);
    luna_arena_destroy(&arena);
  }
}

// x = if … { y = f(x) } else { x }, as the value r of both branches.
static LunaProblem *skip(LunaArena *arena, bool reads_x_later) {
  LunaProblem *problem = luna_problem_create(arena);
  LunaBufferId x = add(problem, "x", 8), y = add(problem, "y", 8);
  LunaBufferId r = add(problem, "r", 8);
  define(problem, x);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
  luna_problem_read(problem, define(problem, y), x);
  move(problem, y, r);
  luna_problem_end(problem);
  luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
  move(problem, x, r);
  luna_problem_end(problem);
  luna_problem_end(problem);
  luna_problem_read(problem, read(problem, r), reads_x_later ? x : r);
  return problem;
}

static void the_branch_that_copies_is_the_cheaper_one(void) {
  LunaArena arena = {0};
  LunaProblem *problem = skip(&arena, false);
  // x and y meet: one of both moves copies. Cheapest, and off the slowest path.
  uint64_t moves[] = {7, 5};
  LunaCoalesceOptions options = {.move_cycles = moves};
  LunaCoalescing decision = decide(problem, &options);
  CHECK(!decision.is_copy[0] && decision.is_copy[1]);
  CHECK_EQ(decision.copy_cycles, 5);
  CHECK_EQ(decision.bytes, 16);
  CHECK(decision.is_exhausted);
  uint64_t steps[6] = {0};
  steps[3] = 100;
  options.step_cycles = steps;
  decision = decide(problem, &options);
  CHECK(decision.is_copy[0] && !decision.is_copy[1]);
  CHECK_EQ(decision.slowest_cycles, 100);
  CHECK_EQ(decision.copy_cycles, 7);
  luna_arena_destroy(&arena);
}

// x = if … { if … ; y = f(x) } else { x } else { }: three branches, of which
// the first has `ways` paths and the last one takes most.
static void the_branch_that_copies_is_on_fewer_paths(void) {
  for (int ways = 1; ways <= 4; ways += 3) {
    LunaArena arena = {0};
    LunaProblem *problem = luna_problem_create(&arena);
    LunaBufferId x = add(problem, "x", 8), y = add(problem, "y", 8);
    LunaBufferId r = add(problem, "r", 8);
    uint64_t steps[16] = {0}, moves[] = {3, 5};
    define(problem, x);
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    for (int way = 0; way < ways; ++way) {
      luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
      luna_problem_end(problem);
    }
    luna_problem_end(problem);
    luna_problem_read(problem, define(problem, y), x);
    move(problem, y, r);
    luna_problem_end(problem);
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    move(problem, x, r);
    luna_problem_end(problem);
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    steps[define(problem, r)] = 100;
    luna_problem_end(problem);
    luna_problem_end(problem);
    read(problem, r);
    LunaCoalescing decision =
        decide(problem, &(LunaCoalesceOptions){.move_cycles = moves,
                                               .step_cycles = steps});
    CHECK_EQ(decision.slowest_cycles, 100);
    CHECK_EQ(decision.copy_cycles, ways == 1 ? 3 : 5);
    CHECK(decision.is_exhausted);
    luna_arena_destroy(&arena);
  }
}

static void a_value_still_read_and_its_copy_differ_by_branch(void) {
  LunaArena arena = {0};
  LunaProblem *problem = skip(&arena, true);
  LunaCoalescing decision = decide(problem, NULL);
  // In `then`, r is another content while x is live.
  CHECK(!decision.is_copy[0] && decision.is_copy[1]);
  CHECK_EQ(decision.bytes, 16);
  luna_arena_destroy(&arena);
}

// While `a` lives, the upper half of 8 bytes is taken; while `b` does, the
// lower.
static LunaProblem *tight(LunaArena *arena) {
  LunaProblem *problem = luna_problem_create(arena);
  LunaBufferId a = add(problem, "a", 4), b = add(problem, "b", 4);
  LunaBuffer fixed = {.size_bytes = 4, .is_fixed = true};
  define(problem, a);
  move(problem, a, b);
  read(problem, b);
  luna_problem_live(problem, luna_problem_add_buffer(problem, &fixed), 2, 3);
  fixed.fixed_offset_bytes = 4;
  luna_problem_live(problem, luna_problem_add_buffer(problem, &fixed), 0, 1);
  return problem;
}

static void what_fits_comes_before_cycles(void) {
  LunaArena arena = {0};
  LunaProblem *problem = tight(&arena);
  LunaCoalescing decision = decide(problem, NULL);
  CHECK(!decision.is_copy[0]);
  CHECK_EQ(decision.bytes, 12);
  decision = decide(problem, &(LunaCoalesceOptions){.capacity_bytes = 12});
  CHECK(!decision.is_copy[0]);
  decision = decide(problem, &(LunaCoalesceOptions){.capacity_bytes = 11});
  CHECK(decision.is_copy[0]);
  CHECK_EQ(decision.pair_count, 0);
  CHECK_EQ(decision.bytes, 8);
  CHECK(decision.is_exhausted);
  luna_arena_destroy(&arena);
}

static void bytes_decide_between_equal_cycles(void) {
  LunaArena arena = {0};
  LunaProblem *problem = tight(&arena);
  uint64_t cycles = 0;
  LunaCoalescing decision =
      decide(problem, &(LunaCoalesceOptions){.move_cycles = &cycles});
  CHECK(decision.is_copy[0]);
  CHECK_EQ(decision.bytes, 8);
  luna_arena_destroy(&arena);
}

// Buffers that have one place already cost nothing, and stay.
static void aliases_are_kept(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 8), b = add(problem, "b", 8);
  LunaBufferId c = add(problem, "c", 8);
  luna_problem_alias(problem, a, b);
  define(problem, a);
  move(problem, a, b);
  move(problem, b, c);
  read(problem, c);
  LunaCoalescing decision = decide(problem, NULL);
  CHECK_EQ(decision.pair_count, 1);
  CHECK_EQ(decision.pairs[0].a, b);
  CHECK_EQ(decision.pairs[0].b, c);
  CHECK(!decision.is_copy[0] && !decision.is_copy[1]);
  CHECK_EQ(decision.bytes, 8);
  luna_arena_destroy(&arena);
}

static void a_program_without_moves_has_nothing_to_decide(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  define(problem, add(problem, "a", 8));
  LunaCoalescing decision = decide(problem, NULL);
  CHECK_EQ(decision.pair_count, 0);
  CHECK_EQ(decision.bytes, 8);
  CHECK(decision.is_exhausted);
  luna_arena_destroy(&arena);
}

static void a_budget_ends_the_search_with_a_decision(void) {
  LunaArena arena = {0};
  LunaProblem *problem = tight(&arena);
  LunaCoalescing decision = decide(
      problem, &(LunaCoalesceOptions){.capacity_bytes = 11, .step_budget = 1});
  CHECK(!decision.is_exhausted);
  CHECK(!decision.is_copy[0]);
  luna_arena_destroy(&arena);
}

// What the copies of one node take: by path, and over all its paths.
typedef struct Copies {
  uint64_t paths, slowest, all;
} Copies;

// The price of a decision as luna_plan_coalesce orders them.
typedef struct Price {
  Copies copies;
  int64_t bytes;
} Price;

static bool is_less(Price a, Price b) {
  if (a.copies.slowest != b.copies.slowest)
    return a.copies.slowest < b.copies.slowest;
  return a.copies.all != b.copies.all ? a.copies.all < b.copies.all
                                      : a.bytes < b.bytes;
}

// Counts path by path what copies take below a node of the program.
static Copies copies_below(const LunaProblem *problem, const bool *is_copy,
                           uint32_t node) {
  const LunaPlanNode *here = &problem->nodes.items[node];
  bool is_choice = here->kind == LUNA_NODE_ALTERNATIVES;
  Copies sum = {.paths = is_choice ? 0 : 1};
  for (LunaMoveId i = 0; i < problem->moves.count; ++i)
    if (is_copy[i] &&
        problem->step_nodes.items[problem->moves.items[i].step] == node)
      sum.slowest = ++sum.all;
  for (uint32_t child = here->first_child; child != PLAN_NONE;
       child = problem->nodes.items[child].next_sibling) {
    Copies own = copies_below(problem, is_copy, child);
    if (!is_choice)
      sum = (Copies){sum.paths * own.paths, sum.slowest + own.slowest,
                     sum.all * own.paths + own.all * sum.paths};
    else
      sum = (Copies){sum.paths + own.paths,
                     own.slowest > sum.slowest ? own.slowest : sum.slowest,
                     sum.all + own.all};
  }
  return sum;
}

// Plans with the given aliases. Returns false if one of `paths` random paths
// reads something wrong.
static bool price_of(LunaProblem *problem, const LunaBufferPair *pairs,
                     uint32_t count, int paths, Random *random, Price *price) {
  LunaArena arena = {0};
  LunaProblem joined = *problem;
  LunaSolution solution;
  LunaError error = {0};
  joined.arena = &arena;
  joined.lifetimes = NULL;
  joined.places.items =
      LUNA_ARENA_ARRAY(&arena, uint32_t, problem->buffers.count);
  for (uint32_t i = 0; i < problem->buffers.count; ++i)
    joined.places.items[i] = i;
  for (uint32_t i = 0; i < count; ++i)
    luna_problem_alias(&joined, pairs[i].a, pairs[i].b);
  CHECK(luna_plan_solve(&joined, NULL, &solution, &error));
  CHECK(luna_plan_check(&joined, solution.offset_bytes, solution.total.bytes,
                        &arena, &error));
  bool *is_copy = LUNA_ARENA_ARRAY(&arena, bool, problem->moves.count);
  for (uint32_t i = 0; i < problem->moves.count; ++i) {
    LunaPlanMove move = problem->moves.items[i];
    is_copy[i] = luna_plan_place_of(&joined, move.from) !=
                 luna_plan_place_of(&joined, move.to);
  }
  *price = (Price){copies_below(problem, is_copy, 0), solution.total.bytes};
  bool is_right = true;
  for (int path = 0; path < paths && is_right; ++path)
    is_right = simulate(&joined, solution.offset_bytes, random);
  luna_arena_destroy(&arena);
  return is_right;
}

// Returns the least price of all sets of moves whose ends are unified and that
// none of `paths` random paths shows to be wrong.
static Price least_price(LunaProblem *problem, int paths, Random *random) {
  uint32_t moves = (uint32_t)problem->moves.count;
  Price least = {.copies.slowest = UINT64_MAX};
  for (uint32_t set = 0; set < (uint32_t)1 << moves; ++set) {
    LunaBufferPair pairs[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < moves; ++i) {
      LunaPlanMove move = problem->moves.items[i];
      if ((set >> i & 1) == 0)
        continue;
      pairs[count++] = (LunaBufferPair){move.from, move.to};
    }
    Price price;
    if (price_of(problem, pairs, count, paths, random, &price) &&
        is_less(price, least))
      least = price;
  }
  return least;
}

static void decisions_are_right_and_cheap(void) {
  enum {
    PROGRAMS = 3000 / LUNA_TEST_SHARE,
    FEW_PATHS = 200,
    MANY_PATHS = 3000
  };
  Random random = {77}, paths = {78};
  uint32_t dearer = 0, joined = 0, exhausted = 0;
  for (int i = 0; i < PROGRAMS; ++i) {
    LunaArena arena = {0};
    LunaProblem *problem = random_program_of_moves(
        &arena, &random, 2 + random_below(&random, 5), true);
    LunaCoalescing decision = decide(problem, NULL);
    Price price;
    CHECK(price_of(problem, decision.pairs, decision.pair_count, FEW_PATHS,
                   &paths, &price));
    CHECK_EQ(price.copies.slowest, decision.slowest_cycles);
    CHECK_EQ(price.bytes, decision.bytes);
    joined += decision.pair_count;
    exhausted += decision.is_exhausted;
    // Few paths may miss that a cheaper set is wrong; many decide.
    if (problem->moves.count <= 6 &&
        is_less(least_price(problem, FEW_PATHS, &paths), price))
      dearer += is_less(least_price(problem, MANY_PATHS, &paths), price);
    luna_arena_destroy(&arena);
  }
  // Contents are compared by points of the program, not path by path: rarely,
  // a cheaper set is right on all paths.
  CHECK(dearer <= PROGRAMS / 500);
  CHECK(joined > PROGRAMS / 8);
  CHECK_EQ(exhausted, PROGRAMS);
}

// A step of 5 cycles, a branch with one of 7 or a copy of 3, and `count` more
// branches that may be skipped.
static LunaProgramCycles cycles_of(uint32_t count) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 8), b = add(problem, "b", 8);
  LunaCoalesceOptions options = {.move_cycles = (const uint64_t[]){3},
                                 .step_cycles = (const uint64_t[]){5, 7, 0}};
  define(problem, a);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  luna_problem_begin(problem, LUNA_NODE_BRANCH, "then");
  read(problem, a);
  luna_problem_end(problem);
  luna_problem_begin(problem, LUNA_NODE_BRANCH, "else");
  move(problem, a, b);
  luna_problem_end(problem);
  luna_problem_end(problem);
  for (uint32_t i = 0; i < 2 * count; ++i) {
    if (i % 2 == 0)
      luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    luna_problem_begin(problem, LUNA_NODE_BRANCH, i % 2 == 0 ? "then" : "else");
    luna_problem_end(problem);
    if (i % 2 == 1)
      luna_problem_end(problem);
  }
  LunaProgramCycles cycles = luna_plan_cycles(problem, &options, &arena);
  luna_arena_destroy(&arena);
  return cycles;
}

static void paths_are_counted_up_to_as_many_as_parts(void) {
  CHECK_EQ(cycles_of(0).slowest, 12);
  CHECK_EQ(cycles_of(0).all, 12 + 8);
  CHECK_EQ(cycles_of(3).all, 8 * (12 + 8));
  CHECK_EQ(cycles_of(19).all, (12 + 8) << 19);
  CHECK_EQ(cycles_of(60).all, cycles_of(19).all);
  CHECK_EQ(cycles_of(60).slowest, 12);
  CHECK(luna_plan_cycles_are_less((LunaProgramCycles){1, 9},
                                  (LunaProgramCycles){2, 3}));
  CHECK(!luna_plan_cycles_are_less((LunaProgramCycles){2, 3},
                                   (LunaProgramCycles){2, 3}));
}

int main(void) {
  RUN_TEST(a_copy_of_what_dies_is_none);
  RUN_TEST(copies_that_stay_equal_share_a_place);
  RUN_TEST(values_that_swap_stay_apart);
  RUN_TEST(contents_are_followed_around_the_back_edge);
  RUN_TEST(the_branch_that_copies_is_the_cheaper_one);
  RUN_TEST(the_branch_that_copies_is_on_fewer_paths);
  RUN_TEST(a_value_still_read_and_its_copy_differ_by_branch);
  RUN_TEST(what_fits_comes_before_cycles);
  RUN_TEST(bytes_decide_between_equal_cycles);
  RUN_TEST(aliases_are_kept);
  RUN_TEST(a_program_without_moves_has_nothing_to_decide);
  RUN_TEST(a_budget_ends_the_search_with_a_decision);
  RUN_TEST(decisions_are_right_and_cheap);
  RUN_TEST(paths_are_counted_up_to_as_many_as_parts);
  return 0;
}
