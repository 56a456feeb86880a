// The slowest path against all runs of random programs, one by one.

#include "luna/timing.h"

#include <string.h>

#include "check.h"

static const char *const ways[] = {"then", "else", "other"};

//===- Every run ----------------------------------------------------------===//

enum { TAPE_MAX = 16 };

// A run decides by a tape: one entry for each condition that it computes.
typedef struct Oracle {
  const LunaTiming *timing;
  uint64_t now, engine_free;
  int32_t outcome[64]; // by condition
  int32_t tape[TAPE_MAX], choices[TAPE_MAX];
  int used;
  bool is_per_path; // a branch goes the same way in each turn
} Oracle;

static int32_t decide(Oracle *oracle, const LunaTimingNode *branch) {
  int32_t *outcome = &oracle->outcome[branch->condition];
  if (*outcome < 0) {
    CHECK(oracle->used < TAPE_MAX);
    oracle->choices[oracle->used] = branch->block_count;
    *outcome = oracle->tape[oracle->used++];
  }
  return branch->is_negated ? 1 - *outcome : *outcome;
}

static void begin_turn(Oracle *oracle, const LunaTimingNode *loop) {
  for (uint64_t c = 0; c < oracle->timing->conditions.count; ++c)
    if (oracle->timing->conditions.items[c].loop == loop->number &&
        !oracle->is_per_path)
      oracle->outcome[c] = -1;
}

static void run_block(Oracle *oracle, const LunaTimingBlock *block) {
  for (const LunaTimingNode *node = block->first; node; node = node->next) {
    if (node->kind == LUNA_TIMING_BRANCH) {
      run_block(oracle, &node->blocks[decide(oracle, node)]);
      continue;
    }
    int64_t turns = node->kind != LUNA_TIMING_LOOP ? 0
                    : node->turns < 0              ? 1
                                                   : node->turns;
    for (int64_t i = 0; i < turns; ++i) {
      begin_turn(oracle, node);
      for (int32_t b = 0; b < node->block_count; ++b)
        run_block(oracle, &node->blocks[b]);
    }
    if (node->kind == LUNA_TIMING_LOOP && node->block_count == 2) {
      begin_turn(oracle, node);
      run_block(oracle, &node->blocks[0]);
    }
    if (node->kind == LUNA_TIMING_WORK)
      oracle->now += node->compute + node->host;
    if (node->kind == LUNA_TIMING_TRANSFER)
      oracle->engine_free =
          (oracle->engine_free > oracle->now ? oracle->engine_free
                                             : oracle->now) +
          node->dma;
    if (node->kind == LUNA_TIMING_WAIT && oracle->engine_free > oracle->now)
      oracle->now = oracle->engine_free;
  }
}

// Goes to the next tape. Returns false behind the last.
static bool next_tape(Oracle *oracle) {
  for (int i = oracle->used; i-- > 0;) {
    if (++oracle->tape[i] < oracle->choices[i])
      return true;
    oracle->tape[i] = 0;
  }
  return false;
}

static uint64_t slowest_run(const LunaTiming *timing, bool is_per_path) {
  Oracle oracle = {.timing = timing, .is_per_path = is_per_path};
  uint64_t slowest = 0;
  do {
    oracle.now = oracle.engine_free = 0;
    oracle.used = 0;
    memset(oracle.outcome, 0xff, sizeof oracle.outcome);
    run_block(&oracle, &timing->body);
    slowest = oracle.now > slowest ? oracle.now : slowest;
  } while (next_tape(&oracle));
  return slowest;
}

//===- Random programs ----------------------------------------------------===//

typedef struct Random {
  uint64_t state;
  LunaTiming *timing;
  int branches; // left to add
  int32_t loops[4];
  int depth;     // of loops
  int decisions; // that a run takes at most, so far
  int repeat;    // of what is added
} Random;

static uint64_t draw(Random *random, uint64_t below) {
  random->state = random->state * 6364136223846793005u + 1442695040888963407u;
  return (random->state >> 33) % below;
}

// A condition of an outer scope, or a new one of any open scope.
static int32_t draw_condition(Random *random) {
  uint64_t count = random->timing->conditions.count;
  if (count > 0 && draw(random, 3) == 0) {
    int32_t known = (int32_t)draw(random, count);
    int32_t loop = random->timing->conditions.items[known].loop;
    bool is_open = loop == LUNA_TIMING_NONE;
    for (int i = 0; i < random->depth; ++i)
      is_open = is_open || random->loops[i] == loop;
    if (is_open)
      return known;
  }
  int scope = (int)draw(random, (uint64_t)random->depth + 1);
  return luna_timing_add_condition(
      random->timing, scope == 0 ? LUNA_TIMING_NONE : random->loops[scope - 1]);
}

static void fill(Random *random, LunaTimingBlock *block, int nesting);

static void add_branch(Random *random, LunaTimingBlock *block, int nesting) {
  LunaTiming *timing = random->timing;
  LunaTimingNode *branch = luna_timing_add_branch(
      timing, block,
      luna_arena_printf(timing->arena, "if%d", (int)timing->branches.count),
      ways, 2, draw_condition(random));
  branch->is_negated = draw(random, 4) == 0;
  random->decisions += random->repeat;
  --random->branches;
  for (int i = 0; i < 2; ++i)
    fill(random, &branch->blocks[i], nesting + 1);
}

static void add_loop(Random *random, LunaTimingBlock *block, int nesting) {
  LunaTiming *timing = random->timing;
  int64_t turns = (int64_t)draw(random, 4) - 1;
  LunaTimingNode *loop = luna_timing_add_loop(timing, block, "loop", turns,
                                              (int32_t)draw(random, 2) + 1);
  int repeat = random->repeat;
  random->repeat *= (int)(turns > 0 ? turns : 1) + loop->block_count - 1;
  random->loops[random->depth++] = loop->number;
  for (int32_t b = 0; b < loop->block_count; ++b)
    fill(random, &loop->blocks[b], nesting + 1);
  --random->depth;
  random->repeat = repeat;
}

static void fill(Random *random, LunaTimingBlock *block, int nesting) {
  for (uint64_t left = 1 + draw(random, 5); left > 0; --left) {
    uint64_t kind = draw(random, 8);
    bool has_room = random->decisions + random->repeat <= 12;
    if (kind < 2 && nesting < 3 && random->branches > 0 && has_room)
      add_branch(random, block, nesting);
    else if (kind == 2 && nesting < 3 && random->depth < 2)
      add_loop(random, block, nesting);
    else if (kind < 5)
      luna_timing_add(random->timing, block, LUNA_TIMING_WORK)->host =
          draw(random, 20);
    else if (kind < 7)
      luna_timing_add(random->timing, block, LUNA_TIMING_TRANSFER)->dma =
          draw(random, 30);
    else
      luna_timing_add(random->timing, block, LUNA_TIMING_WAIT);
  }
}

static void the_slowest_path_is_that_of_all_runs(void) {
  int with_bound = 0, with_branches = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    LunaArena arena = {0};
    LunaTiming timing = {.arena = &arena};
    Random random = {
        .state = seed, .timing = &timing, .branches = 12, .repeat = 1};
    fill(&random, &timing.body, 0);
    LunaSlowestPath slowest = luna_timing_slowest(&timing);
    uint64_t of_runs = slowest_run(&timing, false);
    uint64_t of_paths = slowest_run(&timing, true);
    CHECK(slowest.at_most_cycles == of_runs);
    CHECK(slowest.cycles <= of_paths);
    if (slowest.cycles != of_paths)
      CHECK(slowest.at_most_cycles > slowest.cycles);
    const char *name = luna_timing_path_name(&timing, slowest.ways, &arena);
    const LunaTimingWay *read = luna_timing_read_path(&timing, name, &arena);
    CHECK(memcmp(read, slowest.ways, timing.branches.count * sizeof *read) ==
          0);
    CHECK(luna_timing_path(&timing, read, NULL).cycles == slowest.cycles);
    with_bound += slowest.at_most_cycles > slowest.cycles;
    with_branches += timing.branches.count > 1;
    luna_arena_destroy(&arena);
  }
  CHECK(with_branches > 1000 && with_bound > 0 && with_bound < 400);
}

//===- By hand ------------------------------------------------------------===//

static LunaTimingNode *add_if(LunaTiming *timing, LunaTimingBlock *block,
                              const char *name, int32_t condition,
                              uint64_t then_host, uint64_t else_host) {
  LunaTimingNode *node =
      luna_timing_add_branch(timing, block, name, ways, 2, condition);
  luna_timing_add(timing, &node->blocks[0], LUNA_TIMING_WORK)->host = then_host;
  luna_timing_add(timing, &node->blocks[1], LUNA_TIMING_WORK)->host = else_host;
  return node;
}

static void neither_all_then_nor_all_else(void) {
  LunaArena arena = {0};
  LunaTiming timing = {.arena = &arena};
  for (int i = 0; i < 60; ++i)
    add_if(&timing, &timing.body, luna_arena_printf(&arena, "if%d", i),
           luna_timing_add_condition(&timing, LUNA_TIMING_NONE),
           i % 2 ? 100 : 1, i % 2 ? 1 : 100);
  LunaSlowestPath slowest = luna_timing_slowest(&timing);
  CHECK(slowest.cycles == 6000 && slowest.at_most_cycles == 6000);
  CHECK(slowest.ways[0] == 1 && slowest.ways[1] == 0);
  luna_arena_destroy(&arena);
}

static void one_condition_decides_once(void) {
  LunaArena arena = {0};
  LunaTiming timing = {.arena = &arena};
  int32_t condition = luna_timing_add_condition(&timing, LUNA_TIMING_NONE);
  add_if(&timing, &timing.body, "if0", condition, 100, 1);
  add_if(&timing, &timing.body, "if1", condition, 1, 60);
  LunaSlowestPath slowest = luna_timing_slowest(&timing);
  CHECK(slowest.cycles == 101 && slowest.at_most_cycles == 101);
  CHECK_STR(luna_timing_path_name(&timing, slowest.ways, &arena),
            "if0=then/if1=then");
  luna_arena_destroy(&arena);
}

static void decisions_may_change_from_turn_to_turn(void) {
  LunaArena arena = {0};
  LunaTiming timing = {.arena = &arena};
  LunaTimingNode *loop =
      luna_timing_add_loop(&timing, &timing.body, "loop0", 2, 1);
  LunaTimingNode *branch =
      luna_timing_add_branch(&timing, &loop->blocks[0], "if0", ways, 2,
                             luna_timing_add_condition(&timing, loop->number));
  luna_timing_add(&timing, &branch->blocks[0], LUNA_TIMING_TRANSFER)->dma = 50;
  luna_timing_add(&timing, &branch->blocks[1], LUNA_TIMING_WAIT);
  luna_timing_add(&timing, &branch->blocks[1], LUNA_TIMING_WORK)->host = 10;
  LunaSlowestPath slowest = luna_timing_slowest(&timing);
  CHECK(slowest.at_most_cycles == 60);
  CHECK(slowest.cycles < 60);
  luna_arena_destroy(&arena);
}

// 40 conditions, each asked twice, in an order that keeps all outcomes apart:
// beyond the limit the figure is an upper bound.
static void beyond_the_limit_is_an_upper_bound(void) {
  LunaArena arena = {0};
  LunaTiming timing = {.arena = &arena};
  int32_t conditions[40];
  for (int i = 0; i < 40; ++i) {
    conditions[i] = luna_timing_add_condition(&timing, LUNA_TIMING_NONE);
    add_if(&timing, &timing.body, luna_arena_printf(&arena, "if%d", i),
           conditions[i], 10, 9);
  }
  for (int i = 0; i < 40; ++i)
    add_if(&timing, &timing.body, luna_arena_printf(&arena, "if%d", 40 + i),
           conditions[i], 9, 11);
  LunaSlowestPath slowest = luna_timing_slowest(&timing);
  CHECK(slowest.at_most_cycles >= 40 * 20 && slowest.cycles <= 40 * 20);
  CHECK(slowest.at_most_cycles > slowest.cycles);
  luna_arena_destroy(&arena);
}

static void many_turns_are_not_walked(void) {
  LunaArena arena = {0};
  LunaTiming timing = {.arena = &arena};
  LunaTimingNode *loop = luna_timing_add_loop(&timing, &timing.body, "loop0",
                                              INT64_C(1000000000000), 1);
  add_if(&timing, &loop->blocks[0], "if0",
         luna_timing_add_condition(&timing, loop->number), 3, 2);
  luna_timing_add(&timing, &loop->blocks[0], LUNA_TIMING_TRANSFER)->dma = 1;
  luna_timing_add(&timing, &loop->blocks[0], LUNA_TIMING_WAIT);
  LunaSlowestPath slowest = luna_timing_slowest(&timing);
  CHECK(slowest.cycles == UINT64_C(4000000000000));
  CHECK(slowest.at_most_cycles == slowest.cycles);
  luna_arena_destroy(&arena);
}

static LunaTimingNode *add_nested(LunaTiming *timing, int count, int64_t turns,
                                  int32_t block_count) {
  LunaTimingBlock *block = &timing->body;
  for (int i = 0; i < count; ++i) {
    LunaTimingNode *loop =
        luna_timing_add_loop(timing, block, "loop", turns, block_count);
    block = &loop->blocks[block_count - 1];
  }
  return luna_timing_add(timing, block, LUNA_TIMING_WORK);
}

static void more_cycles_than_a_number_holds(void) {
  LunaArena arena = {0};
  const LunaTimingNode *loop = NULL;
  for (int level = 56; level <= 58; ++level) {
    LunaTiming timing = {.arena = &arena};
    add_nested(&timing, level, 2, 1)->host = 1;
    CHECK(luna_timing_fits(&timing, &loop) == (level == 56));
    CHECK(level == 56 || loop == timing.loops.items[level - 57]);
  }
  LunaTiming endless = {.arena = &arena};
  add_nested(&endless, 1, INT64_MAX, 2)->compute = 2;
  CHECK(!luna_timing_fits(&endless, &loop) && loop);
  LunaTiming unknown = {.arena = &arena};
  add_nested(&unknown, 100, LUNA_TURNS_UNKNOWN, 2)->dma = 1000;
  CHECK(luna_timing_fits(&unknown, &loop) && !loop);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(the_slowest_path_is_that_of_all_runs);
  RUN_TEST(neither_all_then_nor_all_else);
  RUN_TEST(one_condition_decides_once);
  RUN_TEST(decisions_may_change_from_turn_to_turn);
  RUN_TEST(beyond_the_limit_is_an_upper_bound);
  RUN_TEST(many_turns_are_not_walked);
  RUN_TEST(more_cycles_than_a_number_holds);
  return 0;
}
