#include "plan_block.h"

#include <string.h>

// A scope (a branch, or the program) or alternatives.
typedef struct Block {
  // Scopes: the first item and the first alternatives in it.
  uint32_t first_item, first_alternatives;
  // Alternatives: the next ones of the same scope.
  uint32_t next_alternatives;
  // The size, and the alignment of the base.
  int64_t size_bytes, align_bytes;
  // Alternatives: offset from the base of their scope.
  int64_t offset_bytes;
} Block;

typedef struct Blocks {
  const LunaPlanProgram *program;
  const LunaProblem *problem;
  // One per node.
  Block *blocks;
  // Per item: its scope, and the next one of the same scope.
  uint32_t *scopes, *next_items;
} Blocks;

// Returns the innermost scope that contains `node` (which may be one itself).
static uint32_t scope_of(const LunaProblem *problem, uint32_t node) {
  while (problem->nodes.items[node].kind != LUNA_NODE_BRANCH &&
         problem->nodes.items[node].parent != PLAN_NONE)
    node = problem->nodes.items[node].parent;
  return node;
}

// Returns the innermost scope that contains the lifetime of an item.
static uint32_t scope_of_item(const LunaProblem *problem,
                              const LunaPlanItem *item) {
  uint32_t end = plan_item_end(item);
  if (item->fixed_offset_bytes >= 0 || end == 0)
    return 0;
  uint32_t node = problem->step_nodes.items[plan_item_first(item)];
  while (problem->nodes.items[node].parent != PLAN_NONE &&
         problem->nodes.items[node].end_step < end)
    node = problem->nodes.items[node].parent;
  return scope_of(problem, node);
}

// Returns the alternatives directly inside `scope` that contain `step`, or
// PLAN_NONE.
static uint32_t alternatives_with(const LunaProblem *problem, uint32_t scope,
                                  uint32_t step) {
  uint32_t found = PLAN_NONE;
  for (uint32_t node = problem->step_nodes.items[step]; node != scope;
       node = problem->nodes.items[node].parent)
    if (problem->nodes.items[node].kind == LUNA_NODE_ALTERNATIVES)
      found = node;
  return found;
}

// Returns the range of an item in its scope, where alternatives are one point:
// their first step.
static LunaSteps range_in_scope(const LunaProblem *problem, uint32_t scope,
                                const LunaPlanItem *item) {
  LunaSteps range = {plan_item_first(item), plan_item_end(item)};
  if (range.first == range.end)
    return range;
  uint32_t first = alternatives_with(problem, scope, range.first);
  uint32_t last = alternatives_with(problem, scope, range.end - 1);
  if (first != PLAN_NONE)
    range.first = problem->nodes.items[first].first_step;
  if (last != PLAN_NONE)
    range.end = problem->nodes.items[last].first_step + 1;
  return range;
}

static LunaPlanItem block_item(const Blocks *blocks, uint32_t alternatives) {
  const Block *block = &blocks->blocks[alternatives];
  return (LunaPlanItem){
      .size_bytes = block->size_bytes,
      .align_bytes = block->align_bytes,
      .fixed_offset_bytes = -1,
      .id = alternatives,
  };
}

// Counts the items and alternatives of a scope.
static uint32_t scope_size(const Blocks *blocks, uint32_t scope) {
  uint32_t count = 0;
  const Block *block = &blocks->blocks[scope];
  for (uint32_t i = block->first_item; i != PLAN_NONE;
       i = blocks->next_items[i])
    ++count;
  for (uint32_t node = block->first_alternatives; node != PLAN_NONE;
       node = blocks->blocks[node].next_alternatives)
    ++count;
  return count;
}

// Plans one scope; the sizes of its inner alternatives are known.
static void plan_scope(Blocks *blocks, uint32_t scope,
                       const LunaPlanStrategy *strategy,
                       LunaPlanContext *context, int64_t *offsets) {
  LunaArena arena = {0};
  Block *block = &blocks->blocks[scope];
  uint32_t count = scope_size(blocks, scope), at = 0;
  LunaPlanItems items = {.count = count,
                         .point_count = blocks->problem->step_nodes.count,
                         .times = blocks->program->items.times};
  items.items = LUNA_ARENA_ARRAY(&arena, LunaPlanItem, count);
  LunaSteps *ranges = LUNA_ARENA_ARRAY(&arena, LunaSteps, count);
  for (uint32_t i = block->first_item; i != PLAN_NONE;
       i = blocks->next_items[i]) {
    items.items[at] = blocks->program->items.items[i];
    ranges[at] = range_in_scope(blocks->problem, scope, &items.items[at]);
    items.items[at++].id = i;
  }
  uint32_t own_count = at;
  for (uint32_t node = block->first_alternatives; node != PLAN_NONE;
       node = blocks->blocks[node].next_alternatives) {
    uint32_t first = blocks->problem->nodes.items[node].first_step;
    items.items[at] = block_item(blocks, node);
    ranges[at++] = (LunaSteps){first, first + 1};
  }
  for (uint32_t i = 0; i < count; ++i)
    items.items[i].lifetime = (LunaLifetime){
        .ranges = &ranges[i],
        .range_count = ranges[i].first < ranges[i].end ? 1 : 0,
    };
  luna_plan_items_connect(&items, &arena);
  int64_t *places = LUNA_ARENA_ARRAY(&arena, int64_t, count);
  strategy->place(strategy, &items, context, places, &arena);
  block->size_bytes = luna_plan_items_peak(&items, places);
  block->align_bytes = 1;
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items.items[i];
    if (item->align_bytes > block->align_bytes)
      block->align_bytes = item->align_bytes;
    if (i < own_count)
      offsets[item->id] = places[i];
    else
      blocks->blocks[item->id].offset_bytes = places[i];
  }
  luna_arena_destroy(&arena);
}

// Sorts items and alternatives into their scopes, lowest index first.
static void fill_scopes(Blocks *blocks) {
  const LunaProblem *problem = blocks->problem;
  for (uint32_t node = 0; node < problem->nodes.count; ++node) {
    blocks->blocks[node].first_item = PLAN_NONE;
    blocks->blocks[node].first_alternatives = PLAN_NONE;
    blocks->blocks[node].align_bytes = 1;
  }
  for (uint32_t node = problem->nodes.count; node-- > 0;) {
    const LunaPlanNode *here = &problem->nodes.items[node];
    if (here->kind != LUNA_NODE_ALTERNATIVES ||
        here->first_step == here->end_step)
      continue;
    Block *scope = &blocks->blocks[scope_of(problem, here->parent)];
    blocks->blocks[node].next_alternatives = scope->first_alternatives;
    scope->first_alternatives = node;
  }
  const LunaPlanItems *items = &blocks->program->items;
  for (uint32_t i = items->count; i-- > 0;) {
    uint32_t scope = scope_of_item(problem, &items->items[i]);
    blocks->scopes[i] = scope;
    blocks->next_items[i] = blocks->blocks[scope].first_item;
    blocks->blocks[scope].first_item = i;
  }
}

// Raises the size and alignment of alternatives to those of a branch.
static void raise_alternatives(Blocks *blocks, uint32_t branch) {
  const Block *block = &blocks->blocks[branch];
  Block *above = &blocks->blocks[blocks->problem->nodes.items[branch].parent];
  if (above->size_bytes < block->size_bytes)
    above->size_bytes = block->size_bytes;
  if (above->align_bytes < block->align_bytes)
    above->align_bytes = block->align_bytes;
}

void luna_plan_block_place(const LunaPlanProgram *program,
                           const LunaPlanStrategy *strategy,
                           LunaPlanContext *context, int64_t *offsets,
                           LunaArena *arena) {
  const LunaProblem *problem = program->problem;
  context->hint_bytes = NULL; // which is by item of the whole
  Blocks blocks = {.program = program, .problem = problem};
  blocks.blocks = LUNA_ARENA_ARRAY(arena, Block, problem->nodes.count);
  blocks.scopes = LUNA_ARENA_ARRAY(arena, uint32_t, program->items.count);
  blocks.next_items = LUNA_ARENA_ARRAY(arena, uint32_t, program->items.count);
  fill_scopes(&blocks);
  for (uint32_t node = problem->nodes.count; node-- > 1;)
    if (problem->nodes.items[node].kind == LUNA_NODE_BRANCH) {
      plan_scope(&blocks, node, strategy, context, offsets);
      raise_alternatives(&blocks, node);
    }
  plan_scope(&blocks, 0, strategy, context, offsets);
  int64_t *bases = LUNA_ARENA_ARRAY(arena, int64_t, problem->nodes.count);
  for (uint32_t node = 1; node < problem->nodes.count; ++node) {
    if (problem->nodes.items[node].kind != LUNA_NODE_BRANCH)
      continue;
    uint32_t alternatives = problem->nodes.items[node].parent;
    uint32_t outer =
        scope_of(problem, problem->nodes.items[alternatives].parent);
    bases[node] = bases[outer] + blocks.blocks[alternatives].offset_bytes;
  }
  for (uint32_t i = 0; i < program->items.count; ++i)
    offsets[i] += bases[blocks.scopes[i]];
}
