#include "generate.h"

typedef struct Random {
  uint64_t state;
} Random;

static uint32_t below(Random *random, uint32_t limit) {
  random->state = random->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random->state >> 33) % limit;
}

// Log-uniform from 1 to about 2^doublings: a power of two times 1 to 2.
static int64_t log_uniform(Random *random, uint32_t doublings) {
  int64_t power = (int64_t)1 << below(random, doublings);
  return power + power * below(random, 1024) / 1024;
}

static LunaBufferId add(LunaProblem *problem, int64_t size_bytes) {
  return luna_problem_add_buffer(problem,
                                 &(LunaBuffer){.size_bytes = size_bytes});
}

static void add_live(LunaProblem *problem, int64_t size_bytes, uint32_t first,
                     uint32_t last) {
  luna_problem_live(problem, add(problem, size_bytes), first, last + 1);
}

LunaProblem *generate_chain(LunaArena *arena, uint32_t buffer_count,
                            uint64_t seed) {
  Random random = {seed};
  LunaProblem *problem = luna_problem_create(arena);
  uint32_t layers = (buffer_count + 3) / 4, left = buffer_count;
  for (uint32_t i = 0; i < 2 * layers; ++i)
    luna_problem_step(problem, NULL);
  for (uint32_t i = 0; i < layers; ++i) {
    uint32_t backward = 2 * layers - 1 - i;
    uint32_t skip = below(&random, 8) == 0 ? below(&random, 8) : 0;
    uint32_t last = backward + skip;
    if (last >= 2 * layers)
      last = 2 * layers - 1;
    int64_t sizes[4];
    for (int k = 0; k < 4; ++k)
      sizes[k] = 512 * log_uniform(&random, k < 2 ? 12 : 9);
    add_live(problem, sizes[0], i, last);
    if (left > 1)
      add_live(problem, sizes[1], backward > 0 ? backward - 1 : 0, backward);
    if (left > 2)
      add_live(problem, sizes[2], i, i);
    if (left > 3)
      add_live(problem, sizes[3], backward, backward);
    left -= left < 4 ? left : 4;
  }
  return problem;
}

LunaProblem *generate_stream(LunaArena *arena, uint32_t buffer_count,
                             uint32_t live_count, uint64_t seed) {
  Random random = {seed};
  LunaProblem *problem = luna_problem_create(arena);
  for (uint32_t i = 0; i < buffer_count; ++i)
    luna_problem_step(problem, NULL);
  for (uint32_t i = 0; i < buffer_count; ++i) {
    uint32_t last = i + below(&random, 2 * live_count);
    if (last >= buffer_count)
      last = buffer_count - 1;
    add_live(problem, 64 * log_uniform(&random, 10), i, last);
  }
  return problem;
}

// A program being made: for each step, the end of the block it stands in.
typedef struct Maker {
  LunaProblem *problem;
  Random random;
  uint32_t *block_ends;
  // Buffers that blocks yield or carry, and the steps that touch them.
  uint32_t step_count;
} Maker;

static void make_block(Maker *maker, uint32_t step_count, uint32_t depth);

static void make_steps(Maker *maker, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    luna_problem_step(maker->problem, NULL);
}

// The last step of a block defines what it yields.
static void define_at_end(Maker *maker, LunaBufferId buffer) {
  uint32_t count = luna_problem_step_count(maker->problem);
  luna_problem_define(maker->problem, count - 1, buffer);
}

static void make_branch(Maker *maker, uint32_t step_count, uint32_t depth,
                        const LunaBufferId *yielded) {
  luna_problem_begin(maker->problem, LUNA_NODE_BRANCH, NULL);
  make_block(maker, step_count, depth);
  if (yielded && step_count > 0)
    define_at_end(maker, *yielded);
  luna_problem_end(maker->problem);
}

static void make_alternatives(Maker *maker, uint32_t step_count,
                              uint32_t depth) {
  bool yields = below(&maker->random, 2) == 0;
  LunaBufferId yielded = 0;
  if (yields)
    yielded = add(maker->problem, 64 * log_uniform(&maker->random, 10));
  uint32_t first = step_count * (205 + below(&maker->random, 614)) / 1024;
  luna_problem_begin(maker->problem, LUNA_NODE_ALTERNATIVES, NULL);
  make_branch(maker, first, depth, yields ? &yielded : NULL);
  make_branch(maker, step_count - first, depth, yields ? &yielded : NULL);
  luna_problem_end(maker->problem);
  uint32_t behind = luna_problem_step(maker->problem, NULL);
  if (yields)
    luna_problem_use(maker->problem, behind, yielded);
}

static void make_loop(Maker *maker, uint32_t step_count, uint32_t depth) {
  LunaBufferId carried =
      add(maker->problem, 64 * log_uniform(&maker->random, 10));
  uint32_t before = luna_problem_step(maker->problem, NULL);
  luna_problem_define(maker->problem, before, carried);
  luna_problem_begin(maker->problem, LUNA_NODE_LOOP, NULL);
  uint32_t first = luna_problem_step(maker->problem, NULL);
  luna_problem_use(maker->problem, first, carried);
  make_block(maker, step_count, depth);
  define_at_end(maker, carried);
  luna_problem_end(maker->problem);
}

// A block of about `step_count` steps, two thirds (inside branches: half) of
// them one level down.
static void make_block(Maker *maker, uint32_t step_count, uint32_t depth) {
  uint32_t start = luna_problem_step_count(maker->problem);
  uint32_t inner = depth == 0 ? 0 : step_count / 2;
  while (inner >= 4) {
    uint32_t part = 4 + below(&maker->random, inner);
    part = part < inner ? part : inner;
    make_steps(maker, 1 + part / 2);
    if (below(&maker->random, 5) == 0)
      make_loop(maker, part, depth - 1);
    else
      make_alternatives(maker, part, depth - 1);
    inner -= part;
  }
  uint32_t made = luna_problem_step_count(maker->problem) - start;
  if (made < step_count)
    make_steps(maker, step_count - made);
  uint32_t end = luna_problem_step_count(maker->problem);
  for (uint32_t step = start; step < end; ++step)
    if (maker->block_ends[step] == 0)
      maker->block_ends[step] = end;
}

// Each step makes a value, up to the number of buffers wanted.
static void make_values(Maker *maker, uint32_t buffer_count) {
  LunaProblem *problem = maker->problem;
  uint32_t steps = luna_problem_step_count(problem);
  for (uint32_t step = 0; step < steps; ++step) {
    if (luna_problem_buffer_count(problem) >= buffer_count)
      return;
    LunaBufferId value = add(problem, 64 * log_uniform(&maker->random, 10));
    luna_problem_define(problem, step, value);
    uint32_t visible = maker->block_ends[step] - step - 1;
    bool is_short = below(&maker->random, 2) == 0;
    if (is_short && visible > 3)
      visible = 3;
    if (visible > 0)
      luna_problem_use(problem, step + 1 + below(&maker->random, visible),
                       value);
  }
}

LunaProblem *generate_program(LunaArena *arena, uint32_t buffer_count,
                              uint32_t depth, uint64_t seed) {
  Maker maker = {.problem = luna_problem_create(arena), .random = {seed}};
  maker.block_ends =
      LUNA_ARENA_ARRAY(arena, uint32_t, 8 * (uint64_t)buffer_count + 64);
  // The outermost block holds a third of the steps itself.
  uint32_t inner = 2 * buffer_count / 3;
  while (inner >= 4) {
    uint32_t part = 4 + below(&maker.random, inner);
    part = part < inner ? part : inner;
    make_steps(&maker, 1 + part / 2);
    if (below(&maker.random, 5) == 0)
      make_loop(&maker, part, depth - 1);
    else
      make_alternatives(&maker, part, depth - 1);
    inner -= part;
  }
  make_steps(&maker, 1);
  uint32_t end = luna_problem_step_count(maker.problem);
  for (uint32_t step = 0; step < end; ++step)
    if (maker.block_ends[step] == 0)
      maker.block_ends[step] = end;
  make_values(&maker, buffer_count);
  return maker.problem;
}
