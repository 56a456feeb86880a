#include <string.h>

#include "luna/checked.h"
#include "plan_strategy.h"

uint32_t *plan_order_items(const PlanItems *items, PlanBefore before,
                           uint32_t *count, LunaArena *arena) {
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  *count = 0;
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].fixed_offset_bytes < 0)
      order[(*count)++] = i;
  plan_sort(order, *count, before, items, arena);
  return order;
}

static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const int64_t *offsets = context;
  return offsets[a] < offsets[b];
}

// The lowest offset for an item beside the placed neighbours, which stand by
// rising offset.
static int64_t lowest_gap(const PlanItems *items, const int64_t *offsets,
                          uint32_t item, const uint32_t *placed,
                          uint32_t placed_count) {
  const PlanItem *self = &items->items[item];
  int64_t offset = 0;
  for (uint32_t i = 0; i < placed_count; ++i) {
    if (offsets[placed[i]] - offset >= self->size_bytes)
      break;
    int64_t end = offsets[placed[i]] + items->items[placed[i]].size_bytes;
    end = luna_align_up(end, self->align_bytes);
    if (offset < end)
      offset = end;
  }
  return offset;
}

void plan_place_first_fit(const PlanStrategy *self, const PlanItems *items,
                          PlanContext *context, int64_t *offsets,
                          LunaArena *arena) {
  (void)context;
  uint32_t count = 0;
  uint32_t *order = plan_order_items(items, self->before, &count, arena);
  for (uint32_t i = 0; i < items->count; ++i)
    offsets[i] = items->items[i].fixed_offset_bytes;
  uint32_t *placed = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t item = order[i], placed_count = 0;
    for (uint64_t k = items->neighbour_starts[item];
         k < items->neighbour_starts[item + 1]; ++k)
      if (offsets[items->neighbours[k]] >= 0)
        placed[placed_count++] = items->neighbours[k];
    LunaArena scratch = {0};
    plan_sort(placed, placed_count, lies_below, offsets, &scratch);
    luna_arena_destroy(&scratch);
    offsets[item] = lowest_gap(items, offsets, item, placed, placed_count);
  }
}

void plan_place_apart(const PlanStrategy *self, const PlanItems *items,
                      PlanContext *context, int64_t *offsets,
                      LunaArena *arena) {
  (void)context;
  (void)self;
  (void)arena;
  int64_t top = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    const PlanItem *item = &items->items[i];
    if (item->fixed_offset_bytes >= 0 &&
        item->fixed_offset_bytes + item->size_bytes > top)
      top = item->fixed_offset_bytes + item->size_bytes;
  }
  for (uint32_t i = 0; i < items->count; ++i) {
    const PlanItem *item = &items->items[i];
    offsets[i] = item->fixed_offset_bytes;
    if (offsets[i] >= 0)
      continue;
    offsets[i] = 0;
    if (item->size_bytes == 0)
      continue;
    offsets[i] = luna_align_up(top, item->align_bytes);
    top = offsets[i] + item->size_bytes;
  }
}
