#include "random_program.h"

uint32_t random_below(Random *random, uint32_t limit) {
  random->state = random->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random->state >> 33) % limit;
}

static void add_steps(LunaProblem *problem, Random *random, uint32_t depth);

static void add_alternatives(LunaProblem *problem, Random *random,
                             uint32_t depth) {
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  uint32_t branches = 1 + random_below(random, 3);
  for (uint32_t i = 0; i < branches; ++i) {
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    if (random_below(random, 5) > 0)
      add_steps(problem, random, depth);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);
}

static void add_loop(LunaProblem *problem, Random *random, uint32_t depth) {
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);
  add_steps(problem, random, depth);
  if (random_below(random, 2) > 0) {
    luna_problem_loop_exit(problem);
    add_steps(problem, random, depth);
  }
  luna_problem_end(problem);
}

static void add_steps(LunaProblem *problem, Random *random, uint32_t depth) {
  uint32_t count = random_below(random, 4);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t kind = random_below(random, depth > 0 ? 7 : 4);
    if (kind < 4) {
      luna_problem_step(problem, NULL);
    } else if (kind == 4) {
      add_loop(problem, random, depth - 1);
    } else if (kind == 5) {
      add_alternatives(problem, random, depth - 1);
    } else {
      luna_problem_begin(problem, LUNA_NODE_SEQUENCE, NULL);
      add_steps(problem, random, depth - 1);
      luna_problem_end(problem);
    }
  }
}

static LunaBuffer random_buffer(Random *random, uint32_t id, bool has_fixed) {
  LunaBuffer buffer = {
      .size_bytes = random_below(random, 12),
      .align_bytes = 1 << random_below(random, 3),
      .kind = (LunaBufferKind)random_below(random, 3),
  };
  if (has_fixed && random_below(random, 4) == 0) {
    buffer.is_fixed = true;
    buffer.fixed_offset_bytes = 12 * (int64_t)id;
  }
  return buffer;
}

static void add_move(LunaProblem *problem, uint32_t step, uint32_t from,
                     uint32_t to) {
  if (luna_problem_buffer(problem, from)->size_bytes ==
      luna_problem_buffer(problem, to)->size_bytes)
    luna_problem_move(problem, step, from, to);
}

// Adds a touch at step `first` or later.
static void add_touch(LunaProblem *problem, Random *random, uint32_t first,
                      bool may_discard) {
  uint32_t steps = luna_problem_step_count(problem);
  uint32_t step = first + random_below(random, steps - first);
  uint32_t buffers = luna_problem_buffer_count(problem);
  uint32_t buffer = random_below(random, buffers);
  uint32_t kind = random_below(random, 8);
  if (kind < 3)
    luna_problem_define(problem, step, buffer);
  else if (kind < 5)
    luna_problem_use(problem, step, buffer);
  else if (kind == 5)
    luna_problem_read(problem, step, buffer);
  else if (kind == 6 && may_discard)
    luna_problem_discard(problem, step, buffer);
  else
    add_move(problem, step, random_below(random, buffers), buffer);
}

static void add_parts(LunaProblem *problem, Random *random) {
  luna_problem_step(problem, NULL);
  uint32_t parts = 1 + random_below(random, 3);
  for (uint32_t i = 0; i < parts; ++i)
    add_steps(problem, random, 3);
}

LunaProblem *random_program_of_moves(LunaArena *arena, Random *random,
                                     uint32_t buffer_count, bool always_holds) {
  LunaProblem *problem = luna_problem_create(arena);
  for (uint32_t id = 0; id < buffer_count; ++id) {
    LunaBuffer buffer = {.size_bytes = random_below(random, 4) > 0 ? 8 : 5};
    luna_problem_add_buffer(problem, &buffer);
    if (always_holds)
      luna_problem_define(problem, luna_problem_step(problem, NULL), id);
  }
  uint32_t first = luna_problem_step_count(problem);
  add_parts(problem, random);
  uint32_t steps = luna_problem_step_count(problem);
  uint32_t touches = random_below(random, 4 * buffer_count + 1);
  for (uint32_t i = 0; i < touches; ++i)
    add_touch(problem, random, first, !always_holds);
  uint32_t moves = random_below(random, 8);
  for (uint32_t i = 0; i < moves; ++i)
    add_move(problem, first + random_below(random, steps - first),
             random_below(random, buffer_count),
             random_below(random, buffer_count));
  return problem;
}

LunaProblem *random_program(LunaArena *arena, Random *random,
                            uint32_t buffer_count, bool has_alias) {
  LunaProblem *problem = luna_problem_create(arena);
  bool has_fixed = !has_alias && random_below(random, 3) == 0;
  for (uint32_t id = 0; id < buffer_count; ++id) {
    LunaBuffer buffer = random_buffer(random, id, has_fixed);
    luna_problem_add_buffer(problem, &buffer);
  }
  if (has_alias)
    luna_problem_alias(problem, random_below(random, buffer_count),
                       random_below(random, buffer_count));
  add_parts(problem, random);
  uint32_t steps = luna_problem_step_count(problem);
  uint32_t touches = random_below(random, 5 * buffer_count + 1);
  for (uint32_t i = 0; i < touches; ++i)
    add_touch(problem, random, 0, true);
  if (random_below(random, 4) == 0) {
    uint32_t first = random_below(random, steps);
    luna_problem_live(problem, random_below(random, buffer_count), first,
                      first + random_below(random, steps - first + 1));
  }
  return problem;
}
