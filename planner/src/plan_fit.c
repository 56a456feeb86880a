// Placing items one by one, given those placed before.

#include "plan_gap.h"
#include "plan_index.h"
#include "plan_placed.h"

uint32_t *luna_plan_order_items(const LunaPlanItems *items,
                                LunaPlanBefore before, const void *context,
                                uint32_t *count, LunaArena *arena) {
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  *count = 0;
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].fixed_offset_bytes < 0)
      order[(*count)++] = i;
  luna_plan_sort(order, *count, before, context, arena);
  return order;
}

static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const int64_t *offsets = context;
  return offsets[a] < offsets[b];
}

// Returns the offset of an item given its placed neighbours, which are sorted
// in place.
static int64_t place_beside(const LunaPlanItems *items, uint32_t item,
                            uint32_t *placed, uint32_t placed_count,
                            LunaPlanFit fit, const int64_t *offsets) {
  LunaArena scratch = {0};
  luna_plan_sort(placed, placed_count, lies_below, offsets, &scratch);
  luna_arena_destroy(&scratch);
  LunaPlanGap gap = plan_gap_make(&items->items[item], fit);
  for (uint32_t k = 0; k < placed_count; ++k)
    if (plan_gap_pass(&gap, offsets[placed[k]],
                      offsets[placed[k]] + items->items[placed[k]].size_bytes))
      break;
  return plan_gap_offset(&gap);
}

// Places by lists of neighbours.
static void place_by_lists(const LunaPlanItems *items, const uint32_t *order,
                           uint32_t count, LunaPlanFit fit, int64_t *offsets,
                           LunaArena *arena) {
  uint32_t *placed = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t item = order[i], placed_count = 0;
    for (uint64_t k = items->neighbour_starts[item];
         k < items->neighbour_starts[item + 1]; ++k)
      if (offsets[items->neighbours[k]] >= 0)
        placed[placed_count++] = items->neighbours[k];
    offsets[item] =
        place_beside(items, item, placed, placed_count, fit, offsets);
  }
}

// Places by the index: for large problems with few conflicts each.
static void place_by_index(const LunaPlanItems *items, const uint32_t *order,
                           uint32_t count, LunaPlanFit fit, int64_t *offsets,
                           LunaArena *arena) {
  LunaPlanIndex index = luna_plan_index_make(items, arena);
  for (uint32_t i = 0; i < items->count; ++i)
    if (offsets[i] >= 0 && items->items[i].size_bytes > 0)
      luna_plan_index_add(&index, i);
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items->items[order[i]];
    index.found_count = 0;
    if (item->size_bytes > 0 && item->lifetime.range_count > 0) {
      luna_plan_index_find(&index, item);
      luna_plan_index_add(&index, order[i]);
    }
    offsets[order[i]] = place_beside(items, order[i], index.found,
                                     index.found_count, fit, offsets);
  }
}

// Places by walks over all placed items: for problems in which most items
// conflict, so that a walk soon finds a gap.
static void place_in_walks(const LunaPlanItems *items, const uint32_t *order,
                           uint32_t count, LunaPlanFit fit, int64_t *offsets,
                           LunaArena *arena) {
  LunaPlanPlaced *placed = luna_plan_placed_create(items, arena);
  for (uint32_t i = 0; i < items->count; ++i)
    if (offsets[i] >= 0 && items->items[i].size_bytes > 0)
      luna_plan_placed_insert(placed, i, offsets[i]);
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items->items[order[i]];
    offsets[order[i]] = 0;
    if (item->size_bytes == 0 || item->lifetime.range_count == 0)
      continue;
    offsets[order[i]] = luna_plan_placed_find(placed, order[i], fit);
    luna_plan_placed_insert(placed, order[i], offsets[order[i]]);
  }
}

// The number of items up to which lists of neighbours are used even where most
// items conflict: sorting them costs little.
enum { LISTED_IF_DENSE = 1000 };

void luna_plan_place_in_order(const LunaPlanItems *items, const uint32_t *order,
                              uint32_t count, LunaPlanFit fit, int64_t *offsets,
                              LunaArena *arena) {
  for (uint32_t i = 0; i < items->count; ++i)
    offsets[i] = items->items[i].fixed_offset_bytes;
  uint64_t pairs = (uint64_t)items->count * items->count;
  bool is_dense = items->count > LISTED_IF_DENSE && items->neighbour_starts &&
                  items->neighbour_starts[items->count] > pairs / 8;
  if (items->neighbour_starts && !is_dense)
    place_by_lists(items, order, count, fit, offsets, arena);
  else if (!is_dense && items->conflict_count < pairs / 64)
    place_by_index(items, order, count, fit, offsets, arena);
  else
    place_in_walks(items, order, count, fit, offsets, arena);
}

void luna_plan_place_sorted(const LunaPlanStrategy *self,
                            const LunaPlanItems *items,
                            LunaPlanContext *context, int64_t *offsets,
                            LunaArena *arena) {
  (void)context;
  uint32_t count = 0;
  const uint32_t *order =
      luna_plan_order_items(items, self->before, items, &count, arena);
  luna_plan_place_in_order(items, order, count, self->fit, offsets, arena);
}

void luna_plan_place_apart(const LunaPlanStrategy *self,
                           const LunaPlanItems *items, LunaPlanContext *context,
                           int64_t *offsets, LunaArena *arena) {
  (void)self;
  (void)context;
  (void)arena;
  int64_t top = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    if (item->fixed_offset_bytes >= 0 &&
        item->fixed_offset_bytes + item->size_bytes > top)
      top = item->fixed_offset_bytes + item->size_bytes;
  }
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
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
