#include "plan_again.h"

LunaPlanAgain *luna_plan_again_create(const LunaPlanItems *items,
                                      const uint32_t *members, uint32_t count,
                                      int64_t unit_bytes, LunaArena *arena) {
  LunaPlanAgain *again = LUNA_ARENA_ARRAY(arena, LunaPlanAgain, 1);
  *again = (LunaPlanAgain){
      .items = {.count = count,
                .point_count = items->point_count,
                .times = items->times},
      .unit_bytes = unit_bytes,
      .offsets = LUNA_ARENA_ARRAY(arena, int64_t, count),
  };
  again->items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, count);
  for (uint32_t i = 0; i < count; ++i)
    again->items.items[i] = items->items[members[i]];
  luna_plan_items_connect(&again->items, arena);
  return again;
}

void luna_plan_place_again(LunaPlanAgain *again, LunaPlanBefore before,
                           const void *context, LunaPlanWork *work) {
  LunaArena scratch = {0};
  uint32_t count = 0;
  if (work->step_budget - work->steps < work->count)
    return;
  work->steps += work->count;
  const uint32_t *order =
      luna_plan_order_items(&again->items, before, context, &count, &scratch);
  luna_plan_place_in_order(&again->items, order, count, PLAN_FIT_LOWEST,
                           again->offsets, &scratch);
  luna_arena_destroy(&scratch);
  int64_t height =
      luna_plan_items_peak(&again->items, again->offsets) / again->unit_bytes;
  if (height >= work->best)
    return;
  work->best = height;
  for (uint32_t i = 0; i < work->count; ++i)
    work->offsets[i] = again->offsets[i] / again->unit_bytes;
}
