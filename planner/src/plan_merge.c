// The treatments `path`, `linear`, `none`; `block` is in plan_block.c.

#include <string.h>

#include "plan_block.h"
#include "plan_merge.h"

// Returns a copy of the items in which each lifetime is one range.
static LunaPlanItems with_ranges(const LunaPlanItems *items,
                                 const LunaSteps *ranges, uint32_t point_count,
                                 LunaArena *arena) {
  LunaPlanItems copy = {.count = items->count, .point_count = point_count};
  copy.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, items->count);
  for (uint32_t i = 0; i < items->count; ++i) {
    copy.items[i] = items->items[i];
    copy.items[i].lifetime = (LunaLifetime){
        .ranges = &ranges[i],
        .range_count = ranges[i].first < ranges[i].end ? 1 : 0,
    };
  }
  luna_plan_items_connect(&copy, arena);
  return copy;
}

static LunaPlanItems linear_items(const LunaPlanProgram *program,
                                  LunaArena *arena) {
  const LunaPlanItems *items = &program->items;
  LunaSteps *ranges = LUNA_ARENA_ARRAY(arena, LunaSteps, items->count);
  for (uint32_t i = 0; i < items->count; ++i)
    ranges[i] = (LunaSteps){plan_item_first(&items->items[i]),
                            plan_item_end(&items->items[i])};
  LunaPlanItems linear = with_ranges(items, ranges, items->point_count, arena);
  linear.times = items->times;
  return linear;
}

// Returns a point for every step such that sibling branches begin at the same
// point and a node ends with the longest of its branches. Nodes are in
// pre-order, so one pass is enough.
static uint32_t *shared_points(const LunaProblem *problem, LunaArena *arena) {
  uint32_t *points =
      LUNA_ARENA_ARRAY(arena, uint32_t, problem->step_nodes.count);
  uint32_t *lengths = LUNA_ARENA_ARRAY(arena, uint32_t, problem->nodes.count);
  uint32_t *starts = LUNA_ARENA_ARRAY(arena, uint32_t, problem->nodes.count);
  for (uint32_t node = problem->nodes.count; node-- > 1;) {
    const LunaPlanNode *here = &problem->nodes.items[node];
    uint32_t length = here->kind == PLAN_NODE_STEP ? 1 : lengths[node];
    uint32_t *above = &lengths[here->parent];
    lengths[node] = length;
    if (here->kind != LUNA_NODE_BRANCH)
      *above += length;
    else if (*above < length)
      *above = length;
  }
  for (uint32_t node = 1; node < problem->nodes.count; ++node) {
    const LunaPlanNode *here = &problem->nodes.items[node];
    bool follows =
        here->prev_sibling != PLAN_NONE && here->kind != LUNA_NODE_BRANCH;
    starts[node] =
        follows ? starts[here->prev_sibling] + lengths[here->prev_sibling]
                : starts[here->parent];
    if (here->kind == PLAN_NODE_STEP)
      points[here->first_step] = starts[node];
  }
  return points;
}

static LunaPlanItems shared_items(const LunaPlanProgram *program,
                                  LunaArena *arena) {
  const LunaPlanItems *items = &program->items;
  const uint32_t *points = shared_points(program->problem, arena);
  LunaSteps *ranges = LUNA_ARENA_ARRAY(arena, LunaSteps, items->count);
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaLifetime *lifetime = &items->items[i].lifetime;
    LunaSteps hull = {PLAN_NONE, 0};
    for (uint32_t k = 0; k < lifetime->range_count; ++k)
      for (uint32_t step = lifetime->ranges[k].first;
           step < lifetime->ranges[k].end; ++step) {
        if (points[step] < hull.first)
          hull.first = points[step];
        if (points[step] >= hull.end)
          hull.end = points[step] + 1;
      }
    ranges[i] = hull;
  }
  return with_ranges(items, ranges, items->point_count, arena);
}

void luna_plan_program_merge(LunaPlanProgram *program, LunaArena *arena) {
  if (!program->has_choices)
    return;
  program->linear = linear_items(program, arena);
  program->shared = shared_items(program, arena);
}

void luna_plan_program_place(const LunaPlanProgram *program, LunaMerge merge,
                             const LunaPlanStrategy *strategy,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena) {
  if (!program->has_choices)
    merge = LUNA_MERGE_PATH;
  switch (merge) {
  case LUNA_MERGE_BLOCK:
    luna_plan_block_place(program, strategy, context, offsets, arena);
    break;
  case LUNA_MERGE_LINEAR:
    strategy->place(strategy, &program->linear, context, offsets, arena);
    break;
  case LUNA_MERGE_NONE:
    strategy->place(strategy, &program->shared, context, offsets, arena);
    break;
  case LUNA_MERGE_PATH:
    strategy->place(strategy, &program->items, context, offsets, arena);
    break;
  }
}
