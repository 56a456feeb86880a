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

// Fills the steps [first, end) with `units` of 64 bytes.
static void add_cut(LunaProblem *problem, Random *random, uint32_t first,
                    uint32_t end, uint32_t units) {
  bool in_time = below(random, 2) == 0;
  if (in_time ? end - first <= 6 : units <= 12) {
    add_live(problem, 64 * (int64_t)units, first, end - 1);
  } else if (in_time) {
    uint32_t middle = first + 1 + below(random, end - first - 1);
    add_cut(problem, random, first, middle, units);
    add_cut(problem, random, middle, end, units);
  } else {
    uint32_t lower = 1 + below(random, units - 1);
    add_cut(problem, random, first, end, lower);
    add_cut(problem, random, first, end, units - lower);
  }
}

LunaProblem *generate_bands(LunaArena *arena, uint32_t buffer_count,
                            uint64_t seed) {
  enum { BANDS = 4, STEPS = 24, UNITS = 40, SHIFT = STEPS / BANDS };
  Random random = {seed};
  LunaProblem *problem = luna_problem_create(arena);
  for (uint32_t first = 0; luna_problem_buffer_count(problem) < buffer_count;
       first += SHIFT) {
    while (luna_problem_step_count(problem) < first + STEPS)
      luna_problem_step(problem, NULL);
    add_cut(problem, &random, first, first + STEPS, UNITS);
  }
  return problem;
}

// A program being made.
typedef struct Maker {
  LunaProblem *problem;
  Random random;
  // By step: the end of the block it stands in; the header of the innermost
  // loop around it, 0 for none.
  uint32_t *block_ends, *headers;
  // Of five blocks, how many are loops; whether these move what they carry.
  uint32_t loops_of_five;
  bool has_moves;
  uint32_t move_count;
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

static void make_carrying_loop(Maker *maker, uint32_t step_count,
                               uint32_t depth) {
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

// Makes the values that a loop of steps [first, last] carries: those of the
// next turn are made at some step, and moved at the last one.
static void carry(Maker *maker, const LunaBufferId *carried, uint32_t count,
                  uint32_t first, uint32_t last) {
  LunaProblem *problem = maker->problem;
  LunaBufferId next =
      add(problem, luna_problem_buffer(problem, carried[0])->size_bytes);
  luna_problem_define(
      problem, last - 1 - below(&maker->random, (last - first + 1) / 2), next);
  for (uint32_t i = 0; i < count; ++i)
    luna_problem_read(problem, first + below(&maker->random, last - first),
                      carried[i]);
  if (count > 1)
    luna_problem_move(problem, last, carried[0], carried[1]);
  luna_problem_move(problem, last, next, carried[0]);
  maker->move_count += count;
}

static void make_moving_loop(Maker *maker, uint32_t step_count,
                             uint32_t depth) {
  LunaProblem *problem = maker->problem;
  uint32_t count = 1 + below(&maker->random, 2);
  int64_t size_bytes = 64 * log_uniform(&maker->random, 10);
  LunaBufferId carried[2] = {0};
  for (uint32_t i = 0; i < count; ++i) {
    carried[i] = add(problem, size_bytes);
    luna_problem_define(problem, luna_problem_step(problem, NULL), carried[i]);
  }
  uint32_t header = luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);
  uint32_t tested = below(&maker->random, 2) == 0 ? 1 + step_count / 4 : 0;
  if (tested > 0) {
    make_steps(maker, tested);
    luna_problem_loop_exit(problem);
  }
  make_block(maker, step_count - (tested < step_count ? tested : 0), depth);
  uint32_t last = luna_problem_step(problem, NULL);
  carry(maker, carried, count, header + 1, last);
  luna_problem_end(problem);
  luna_problem_read(problem, luna_problem_step(problem, NULL),
                    carried[count - 1]);
  for (uint32_t step = header + 1; step <= last; ++step) {
    if (maker->block_ends[step] == 0)
      maker->block_ends[step] = last + 1;
    if (maker->headers[step] == 0)
      maker->headers[step] = header;
  }
}

static void make_node(Maker *maker, uint32_t step_count, uint32_t depth) {
  if (below(&maker->random, 5) >= maker->loops_of_five)
    make_alternatives(maker, step_count, depth);
  else if (maker->has_moves)
    make_moving_loop(maker, step_count, depth);
  else
    make_carrying_loop(maker, step_count, depth);
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
    make_node(maker, part, depth - 1);
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
    uint32_t header = maker->headers[step];
    if (header > 0 && below(&maker->random, 4) == 0) {
      luna_problem_read(
          problem, header + 1 + below(&maker->random, step - header), value);
      continue;
    }
    uint32_t visible = maker->block_ends[step] - step - 1;
    bool is_short = below(&maker->random, 2) == 0;
    if (is_short && visible > 3)
      visible = 3;
    if (visible > 0)
      luna_problem_use(problem, step + 1 + below(&maker->random, visible),
                       value);
  }
}

static LunaProblem *make_program(Maker *maker, LunaArena *arena,
                                 uint32_t buffer_count, uint32_t depth) {
  uint64_t step_limit = 8 * (uint64_t)buffer_count + 64;
  maker->problem = luna_problem_create(arena);
  maker->block_ends = LUNA_ARENA_ARRAY(arena, uint32_t, step_limit);
  maker->headers = LUNA_ARENA_ARRAY(arena, uint32_t, step_limit);
  // The outermost block holds a third of the steps itself.
  uint32_t inner = 2 * buffer_count / 3;
  while (inner >= 4) {
    uint32_t part = 4 + below(&maker->random, inner);
    part = part < inner ? part : inner;
    make_steps(maker, 1 + part / 2);
    make_node(maker, part, depth - 1);
    inner -= part;
  }
  make_steps(maker, 1);
  uint32_t end = luna_problem_step_count(maker->problem);
  for (uint32_t step = 0; step < end; ++step)
    if (maker->block_ends[step] == 0)
      maker->block_ends[step] = end;
  make_values(maker, buffer_count);
  return maker->problem;
}

LunaProblem *generate_program(LunaArena *arena, uint32_t buffer_count,
                              uint32_t depth, uint64_t seed) {
  Maker maker = {.random = {seed}, .loops_of_five = 1};
  return make_program(&maker, arena, buffer_count, depth);
}

LunaProblem *generate_loops(LunaArena *arena, uint32_t buffer_count,
                            uint32_t depth, uint64_t seed,
                            uint32_t *move_count) {
  Maker maker = {.random = {seed}, .loops_of_five = 4, .has_moves = true};
  LunaProblem *problem = make_program(&maker, arena, buffer_count, depth);
  *move_count = maker.move_count;
  return problem;
}

int64_t generate_value(uint64_t *state, int64_t low, int64_t high) {
  Random random = {*state};
  int64_t top = low;
  uint32_t doublings = 0;
  for (; top < high; top *= 2)
    ++doublings;
  int64_t value = low << below(&random, doublings + 1);
  value += value * below(&random, 1024) / 1024;
  *state = random.state;
  return value > high ? high : value;
}

// A size in two symbols: linear or quadratic, of one kind of term.
static LunaSize random_size(Random *random, LunaArena *arena) {
  static const LunaSizeTerm kinds[] = {
      {64, 1, {0}},   {64, 1, {1}},   {1, 2, {0, 1}},
      {1, 2, {0, 0}}, {1, 2, {1, 1}},
  };
  LunaSizeTerm *term = LUNA_ARENA_ARRAY(arena, LunaSizeTerm, 1);
  *term = kinds[below(random, sizeof kinds / sizeof *kinds)];
  term->coefficient *= log_uniform(random, 5);
  return (LunaSize){term, 1};
}

LunaProblem *generate_range(LunaArena *arena, uint32_t buffer_count,
                            uint64_t seed, LunaPlanSizes *sizes) {
  static const LunaPlanSymbol symbols[] = {{"s", 16, 512}, {"t", 16, 512}};
  Random random = {seed};
  LunaProblem *problem = luna_problem_create(arena);
  LunaSize *all = LUNA_ARENA_ARRAY(arena, LunaSize, buffer_count);
  uint32_t *last = LUNA_ARENA_ARRAY(arena, uint32_t, buffer_count);
  for (uint32_t i = 0; i < buffer_count; ++i) {
    luna_problem_step(problem, NULL);
    all[i] = random_size(&random, arena);
    last[i] = i;
    for (uint32_t reads = 1 + below(&random, 3); i > 0 && reads > 0; --reads) {
      uint32_t reach = below(&random, 4) > 0 ? 3 : 16;
      last[i - 1 - below(&random, i < reach ? i : reach)] = i;
    }
  }
  for (uint32_t i = 0; i < buffer_count; ++i)
    add_live(problem, 0, i, last[i]);
  *sizes = (LunaPlanSizes){symbols, 2, all};
  return problem;
}
