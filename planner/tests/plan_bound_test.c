// The bound of a program, by hand and against brute force.

#include "brute_force.h"
#include "check.h"
#include "plan_problem.h"
#include "random_program.h"

static LunaBufferId add(LunaProblem *problem, int64_t size_bytes) {
  return luna_problem_add_buffer(problem,
                                 &(LunaBuffer){.size_bytes = size_bytes});
}

static void define(LunaProblem *problem, LunaBufferId buffer) {
  luna_problem_define(problem, luna_problem_step(problem, NULL), buffer);
}

// A step that reads one buffer and defines another.
static void compute(LunaProblem *problem, LunaBufferId from, LunaBufferId to) {
  LunaStepId step = luna_problem_step(problem, NULL);
  luna_problem_read(problem, step, from);
  luna_problem_define(problem, step, to);
}

static void read(LunaProblem *problem, LunaBufferId buffer) {
  luna_problem_read(problem, luna_problem_step(problem, NULL), buffer);
}

static void move(LunaProblem *problem, LunaBufferId from, LunaBufferId to) {
  luna_problem_move(problem, luna_problem_step(problem, NULL), from, to);
}

static void branch(LunaProblem *problem) {
  luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
}

static LunaProgramBound bound_of(LunaProblem *problem) {
  LunaProgramBound bound = {0};
  LunaError error = {0};
  if (!luna_problem_bound(problem, &bound, &error))
    fprintf(stderr, "%s\n", error.message);
  return bound;
}

static void a_copy_adds_nothing(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId x = add(problem, 10), copy = add(problem, 10);
  define(problem, x);
  move(problem, x, copy);
  read(problem, x);
  read(problem, copy);
  LunaProgramBound bound = bound_of(problem);
  CHECK_EQ(bound.total_bytes, 10);
  CHECK_EQ(bound.witness.buffer_count, 1);
  luna_arena_destroy(&arena);
}

static void a_copy_that_is_modified_counts(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId x = add(problem, 10), copy = add(problem, 10);
  define(problem, x);
  move(problem, x, copy);
  luna_problem_use(problem, luna_problem_step(problem, NULL), copy);
  read(problem, copy);
  CHECK_EQ(bound_of(problem).total_bytes, 10);
  read(problem, x);
  CHECK_EQ(bound_of(problem).total_bytes, 20);
  luna_arena_destroy(&arena);
}

// h = def; loop { t1 = f(h); t2 = f(t1); t3 = f(t2); h = f(t3) }; use h
static void a_carried_value_adds_nothing(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId h = add(problem, 100), t1 = add(problem, 100);
  LunaBufferId t2 = add(problem, 100), next = add(problem, 100);
  define(problem, h);
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);
  compute(problem, h, t1);
  compute(problem, t1, t2);
  compute(problem, t2, next);
  move(problem, next, h);
  luna_problem_end(problem);
  read(problem, h);
  LunaProgramBound bound = bound_of(problem);
  CHECK_EQ(bound.total_bytes, 200);
  CHECK(bound.is_complete);
  luna_arena_destroy(&arena);
}

// for every block: r = if { y = f(x); y } else { x }
static void a_chain_of_skipped_blocks_needs_two(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId x = add(problem, 100);
  define(problem, x);
  for (int block = 0; block < 64; ++block) {
    LunaBufferId y = add(problem, 100), r = add(problem, 100);
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    branch(problem);
    compute(problem, x, y);
    move(problem, y, r);
    luna_problem_end(problem);
    branch(problem);
    move(problem, x, r);
    luna_problem_end(problem);
    luna_problem_end(problem);
    x = r;
  }
  read(problem, x);
  LunaProgramBound bound = bound_of(problem);
  CHECK_EQ(bound.total_bytes, 200);
  CHECK(bound.is_complete);
  luna_arena_destroy(&arena);
}

// Values that a loop exchanges: the third turn needs what two turns moved.
static void turns_move_values_on(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, 10), b = add(problem, 10), c = add(problem, 10);
  define(problem, a);
  define(problem, b);
  define(problem, c);
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);
  LunaStepId back = luna_problem_step(problem, NULL);
  luna_problem_move(problem, back, a, b);
  luna_problem_move(problem, back, b, c);
  luna_problem_move(problem, back, c, a);
  luna_problem_end(problem);
  read(problem, a);
  CHECK_EQ(bound_of(problem).total_bytes, 30);
  luna_arena_destroy(&arena);
}

// if (first) { a }; if (second) { b }; if (other) { read a } else { read b }:
// both are there unless the second goes by the negation of the first.
static int64_t bound_of_conditions(uint32_t second, bool is_negated) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId ids[2] = {add(problem, 10), add(problem, 10)};
  define(problem, add(problem, 0));
  for (uint32_t i = 0; i < 2; ++i) {
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    luna_problem_set_condition(problem, i == 0 ? 0 : second,
                               i == 1 && is_negated);
    branch(problem);
    define(problem, ids[i]);
    luna_problem_end(problem);
    branch(problem);
    luna_problem_end(problem);
    luna_problem_end(problem);
  }
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  luna_problem_set_condition(problem, 2, false);
  for (uint32_t i = 0; i < 2; ++i) {
    branch(problem);
    read(problem, ids[i]);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);
  int64_t bytes = bound_of(problem).total_bytes;
  luna_arena_destroy(&arena);
  return bytes;
}

static void one_condition_goes_one_way(void) {
  CHECK_EQ(bound_of_conditions(1, false), 20);
  CHECK_EQ(bound_of_conditions(0, false), 20);
  CHECK_EQ(bound_of_conditions(0, true), 10);
}

//===- Against brute force ------------------------------------------------===//

// A program under construction: what it may still open.
typedef struct Maker {
  LunaProblem *problem;
  Random *random;
  uint32_t branches_left, loops_left, conditions;
} Maker;

static LunaBufferId any_buffer(const Maker *maker) {
  return random_below(maker->random, luna_problem_buffer_count(maker->problem));
}

// Returns another buffer of the same size, or `buffer`.
static LunaBufferId any_like(const Maker *maker, LunaBufferId buffer) {
  LunaBufferId other = any_buffer(maker);
  return luna_problem_buffer(maker->problem, other)->size_bytes ==
                 luna_problem_buffer(maker->problem, buffer)->size_bytes
             ? other
             : buffer;
}

static void add_moves(Maker *maker, LunaStepId step) {
  LunaBufferId a = any_buffer(maker), b = any_like(maker, a);
  luna_problem_move(maker->problem, step, a, b);
  if (a != b && random_below(maker->random, 3) == 0)
    luna_problem_move(maker->problem, step, b, a);
}

static void add_operator(Maker *maker, LunaStepId step) {
  LunaBufferId result = any_buffer(maker);
  for (uint32_t i = random_below(maker->random, 3); i > 0; --i) {
    LunaBufferId operand = any_buffer(maker);
    if (operand != result)
      luna_problem_read(maker->problem, step, operand);
  }
  if (random_below(maker->random, 8) == 0)
    luna_problem_use(maker->problem, step, result);
  else
    luna_problem_define(maker->problem, step, result);
}

static void add_step(Maker *maker) {
  LunaStepId step = luna_problem_step(maker->problem, NULL);
  uint32_t kind = random_below(maker->random, 16);
  if (kind < 7)
    add_operator(maker, step);
  else if (kind < 11)
    add_moves(maker, step);
  else if (kind < 15)
    luna_problem_read(maker->problem, step, any_buffer(maker));
  else
    luna_problem_discard(maker->problem, step, any_buffer(maker));
}

static void add_part(Maker *maker, uint32_t depth);

static void add_branches(Maker *maker, uint32_t depth) {
  --maker->branches_left;
  luna_problem_begin(maker->problem, LUNA_NODE_ALTERNATIVES, NULL);
  luna_problem_set_condition(maker->problem, random_below(maker->random, 3),
                             random_below(maker->random, 2) > 0);
  for (int i = 0; i < 2; ++i) {
    branch(maker->problem);
    if (i == 0 || random_below(maker->random, 2) > 0)
      add_part(maker, depth);
    luna_problem_end(maker->problem);
  }
  luna_problem_end(maker->problem);
}

static void add_loop(Maker *maker, uint32_t depth) {
  --maker->loops_left;
  luna_problem_begin(maker->problem, LUNA_NODE_LOOP, NULL);
  add_part(maker, depth);
  if (random_below(maker->random, 3) == 0) {
    luna_problem_loop_exit(maker->problem);
    add_part(maker, depth);
  }
  luna_problem_end(maker->problem);
}

static void add_part(Maker *maker, uint32_t depth) {
  for (uint32_t i = 1 + random_below(maker->random, 4); i > 0; --i) {
    uint32_t kind = random_below(maker->random, 4);
    if (kind == 0 && depth > 0 && maker->branches_left > 0)
      add_branches(maker, depth - 1);
    else if (kind == 1 && depth > 0 && maker->loops_left > 0)
      add_loop(maker, depth - 1);
    else
      add_step(maker);
  }
}

// A program of at most 6 buffers, 3 alternatives and 1 loop.
static LunaProblem *random_joins(LunaArena *arena, Random *random) {
  Maker maker = {.problem = luna_problem_create(arena),
                 .random = random,
                 .branches_left = 3,
                 .loops_left = 1};
  uint32_t count = 2 + random_below(random, 5);
  for (uint32_t i = 0; i < count; ++i)
    luna_problem_add_buffer(
        maker.problem,
        &(LunaBuffer){.size_bytes = 1 + random_below(random, 2) * 2,
                      .align_bytes = 1 << random_below(random, 2)});
  for (uint32_t i = 0; i < 3; ++i)
    add_part(&maker, 2);
  return maker.problem;
}

typedef struct Tally {
  uint32_t compared, met;
} Tally;

static void compare(uint64_t seed, Tally *tally) {
  LunaArena arena = {0};
  LunaProblem *problem = random_joins(&arena, &(Random){seed});
  LunaProgramBound bound = bound_of(problem);
  int64_t smallest = brute_force_smallest(problem);
  if (smallest >= 0) {
    if (bound.total_bytes > smallest)
      fprintf(stderr, "seed %llu: bound %lld, plan %lld\n",
              (unsigned long long)seed, (long long)bound.total_bytes,
              (long long)smallest);
    CHECK(bound.total_bytes <= smallest);
    ++tally->compared;
    tally->met += bound.total_bytes == smallest;
  }
  luna_arena_destroy(&arena);
}

static void no_plan_is_smaller(void) {
  Tally tally = {0};
  for (uint64_t seed = 0; seed < 8000; ++seed)
    compare(seed, &tally);
  printf("%u programs, %u at the bound\n", tally.compared, tally.met);
  CHECK(tally.compared > 5000);
  CHECK(tally.met > tally.compared / 2);
}

int main(void) {
  RUN_TEST(a_copy_adds_nothing);
  RUN_TEST(a_copy_that_is_modified_counts);
  RUN_TEST(a_carried_value_adds_nothing);
  RUN_TEST(a_chain_of_skipped_blocks_needs_two);
  RUN_TEST(turns_move_values_on);
  RUN_TEST(one_condition_goes_one_way);
  RUN_TEST(no_plan_is_smaller);
  return 0;
}
