#include "luna/timing.h"

#include <string.h>

#include "luna/checked.h"

//===- Building -----------------------------------------------------------===//

LunaTimingNode *luna_timing_add(LunaTiming *timing, LunaTimingBlock *block,
                                LunaTimingKind kind) {
  LunaTimingNode *node = LUNA_ARENA_ARRAY(timing->arena, LunaTimingNode, 1);
  *node = (LunaTimingNode){
      .kind = kind,
      .number = LUNA_TIMING_NONE,
      .condition = LUNA_TIMING_NONE,
  };
  if (block->last)
    block->last->next = node;
  else
    block->first = node;
  block->last = node;
  return node;
}

int32_t luna_timing_add_condition(LunaTiming *timing, int32_t loop) {
  LUNA_VECTOR_ADD(timing->arena, &timing->conditions)->loop = loop;
  return (int32_t)timing->conditions.count - 1;
}

static void add_blocks(LunaTiming *timing, LunaTimingNode *node,
                       int32_t count) {
  node->blocks = LUNA_ARENA_ARRAY(timing->arena, LunaTimingBlock, count);
  node->block_count = count;
}

LunaTimingNode *luna_timing_add_branch(LunaTiming *timing,
                                       LunaTimingBlock *block, const char *name,
                                       const char *const *ways,
                                       int32_t way_count, int32_t condition) {
  LunaTimingNode *node = luna_timing_add(timing, block, LUNA_TIMING_BRANCH);
  node->name = name;
  node->number = (int32_t)timing->branches.count;
  node->ways = ways;
  node->condition = condition;
  add_blocks(timing, node, way_count);
  *LUNA_VECTOR_ADD(timing->arena, &timing->branches) = node;
  return node;
}

LunaTimingNode *luna_timing_add_loop(LunaTiming *timing, LunaTimingBlock *block,
                                     const char *name, int64_t turns,
                                     int32_t block_count) {
  LunaTimingNode *node = luna_timing_add(timing, block, LUNA_TIMING_LOOP);
  node->name = name;
  node->number = (int32_t)timing->loops.count;
  node->turns = turns;
  add_blocks(timing, node, block_count);
  *LUNA_VECTOR_ADD(timing->arena, &timing->loops) = node;
  return node;
}

//===- Limits -------------------------------------------------------------===//

static bool add_block(int64_t *cycles, const LunaTimingBlock *block,
                      const LunaTimingNode **loop);

// The turns of a block of a node.
static int64_t turns_of(const LunaTimingNode *node, int32_t block) {
  if (node->kind != LUNA_TIMING_LOOP)
    return 1;
  int64_t turns = node->turns == LUNA_TURNS_UNKNOWN ? 1 : node->turns;
  bool is_test = node->block_count == 2 && block == 0;
  return is_test && turns < INT64_MAX ? turns + 1 : turns;
}

static bool add_turns(int64_t *cycles, int64_t turn, int64_t turns) {
  int64_t all = 0;
  return luna_checked_mul(turn, turns, &all) &&
         luna_checked_add(*cycles, all, cycles) &&
         *cycles <= LUNA_TIMING_CYCLES_MAX;
}

static bool add_node(int64_t *cycles, const LunaTimingNode *node,
                     const LunaTimingNode **loop) {
  int64_t own = (int64_t)(node->compute + node->host + node->dma);
  for (int32_t b = 0; b < node->block_count; ++b) {
    int64_t turn = 0;
    if (!add_block(&turn, &node->blocks[b], loop))
      return false;
    if (!add_turns(cycles, turn, turns_of(node, b))) {
      *loop = node->kind == LUNA_TIMING_LOOP ? node : NULL;
      return false;
    }
  }
  return add_turns(cycles, own, 1);
}

static bool add_block(int64_t *cycles, const LunaTimingBlock *block,
                      const LunaTimingNode **loop) {
  for (const LunaTimingNode *node = block->first; node; node = node->next)
    if (!add_node(cycles, node, loop))
      return false;
  return true;
}

bool luna_timing_fits(const LunaTiming *timing, const LunaTimingNode **loop) {
  int64_t cycles = 0;
  *loop = NULL;
  return add_block(&cycles, &timing->body, loop);
}

//===- Names --------------------------------------------------------------===//

static bool is_text(const char *text, size_t length, const char *whole) {
  return strlen(whole) == length && memcmp(text, whole, length) == 0;
}

static void read_decision(const LunaTiming *timing, const char *text,
                          size_t length, LunaTimingWay *ways) {
  const char *equals = memchr(text, '=', length);
  if (!equals)
    return;
  size_t name_length = (size_t)(equals - text);
  for (uint64_t i = 0; i < timing->branches.count; ++i) {
    const LunaTimingNode *branch = timing->branches.items[i];
    if (!is_text(text, name_length, branch->name))
      continue;
    for (int32_t way = 0; way < branch->block_count; ++way)
      if (is_text(equals + 1, length - name_length - 1, branch->ways[way]))
        ways[i] = way;
  }
}

const LunaTimingWay *luna_timing_read_path(const LunaTiming *timing,
                                           const char *path, LunaArena *arena) {
  uint64_t count = timing->branches.count;
  LunaTimingWay *ways = LUNA_ARENA_ARRAY(arena, LunaTimingWay, count);
  for (uint64_t i = 0; i < count; ++i)
    ways[i] = LUNA_TIMING_NONE;
  while (*path) {
    size_t length = strcspn(path, "/");
    read_decision(timing, path, length, ways);
    path += length + (path[length] == '/');
  }
  return ways;
}

const char *luna_timing_path_name(const LunaTiming *timing,
                                  const LunaTimingWay *ways, LunaArena *arena) {
  const char *name = NULL;
  for (uint64_t i = 0; i < timing->branches.count; ++i) {
    const LunaTimingNode *branch = timing->branches.items[i];
    if (ways[i] != LUNA_TIMING_NONE)
      name = luna_arena_printf(arena, "%s%s%s=%s", name ? name : "",
                               name ? "/" : "", branch->name,
                               branch->ways[ways[i]]);
  }
  return name ? name : "straight";
}

//===- One path -----------------------------------------------------------===//

typedef struct Clock {
  const LunaTimingWay *ways;
  const int64_t *turns;
  LunaPathTimes times; // `cycles` is now
  uint64_t engine_free;
} Clock;

static uint64_t backlog_of(const Clock *clock) {
  uint64_t now = clock->times.cycles;
  return clock->engine_free > now ? clock->engine_free - now : 0;
}

static void start_transfer(Clock *clock, const LunaTimingNode *node) {
  clock->engine_free = clock->times.cycles + backlog_of(clock) + node->dma;
  clock->times.dma += node->dma;
  clock->times.bytes += node->bytes;
  ++clock->times.transfers;
}

static void add_times(LunaPathTimes *times, const LunaPathTimes *before,
                      uint64_t count) {
  times->cycles += (times->cycles - before->cycles) * count;
  times->compute += (times->compute - before->compute) * count;
  times->host += (times->host - before->host) * count;
  times->stall += (times->stall - before->stall) * count;
  times->dma += (times->dma - before->dma) * count;
  times->transfers += (times->transfers - before->transfers) * count;
  times->bytes += (times->bytes - before->bytes) * count;
}

static void run_block(Clock *clock, const LunaTimingBlock *block);

// What a turn takes depends only on what the engine still has to do.
static void run_loop(Clock *clock, const LunaTimingNode *loop) {
  int64_t turns = clock->turns ? clock->turns[loop->number] : loop->turns;
  if (turns == LUNA_TURNS_UNKNOWN)
    turns = 1;
  for (int64_t i = 0; i < turns; ++i) {
    LunaPathTimes before = clock->times;
    uint64_t backlog = backlog_of(clock);
    for (int32_t b = 0; b < loop->block_count; ++b)
      run_block(clock, &loop->blocks[b]);
    if (backlog_of(clock) != backlog)
      continue;
    add_times(&clock->times, &before, (uint64_t)(turns - i - 1));
    clock->engine_free = clock->times.cycles + backlog;
    break;
  }
  if (loop->block_count == 2)
    run_block(clock, &loop->blocks[0]);
}

static void run_node(Clock *clock, const LunaTimingNode *node) {
  LunaTimingWay way = LUNA_TIMING_NONE;
  switch (node->kind) {
  case LUNA_TIMING_WORK:
    clock->times.compute += node->compute;
    clock->times.host += node->host;
    clock->times.cycles += node->compute + node->host;
    break;
  case LUNA_TIMING_TRANSFER:
    start_transfer(clock, node);
    break;
  case LUNA_TIMING_WAIT:
    clock->times.stall += backlog_of(clock);
    clock->times.cycles += backlog_of(clock);
    break;
  case LUNA_TIMING_BRANCH:
    way = clock->ways[node->number];
    if (way != LUNA_TIMING_NONE)
      run_block(clock, &node->blocks[way]);
    break;
  case LUNA_TIMING_LOOP:
    run_loop(clock, node);
    break;
  }
}

static void run_block(Clock *clock, const LunaTimingBlock *block) {
  for (const LunaTimingNode *node = block->first; node; node = node->next)
    run_node(clock, node);
}

LunaPathTimes luna_timing_path(const LunaTiming *timing,
                               const LunaTimingWay *ways,
                               const int64_t *turns) {
  Clock clock = {.ways = ways, .turns = turns};
  run_block(&clock, &timing->body);
  return clock.times;
}
