#include "plan_index.h"

#include "plan_sort.h"

static bool is_first(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = ((const LunaPlanItems *)context)->items;
  return plan_item_first(&items[a]) < plan_item_first(&items[b]);
}

LunaPlanIndex luna_plan_index_make(const LunaPlanItems *items,
                                   LunaArena *arena) {
  LunaPlanIndex index = {.items = items, .leaf_count = 1};
  while (index.leaf_count < items->count)
    index.leaf_count *= 2;
  index.latest_ends =
      LUNA_ARENA_ARRAY(arena, uint32_t, 2 * (uint64_t)index.leaf_count);
  index.by_first = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  index.leaf_of = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  index.found = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  for (uint32_t i = 0; i < items->count; ++i)
    index.by_first[i] = i;
  luna_plan_sort(index.by_first, items->count, is_first, items, arena);
  for (uint32_t i = 0; i < items->count; ++i)
    index.leaf_of[index.by_first[i]] = i;
  return index;
}

void luna_plan_index_add(LunaPlanIndex *index, uint32_t item) {
  uint32_t end = plan_item_end(&index->items->items[item]);
  for (uint32_t at = index->leaf_count + index->leaf_of[item]; at > 0; at /= 2)
    if (index->latest_ends[at] < end)
      index->latest_ends[at] = end;
}

// Collects the items that conflict with `item` below `node`, whose
// leaves begin at `start`; visits only nodes with an end after its first point.
static void find_below(LunaPlanIndex *index, const LunaPlanItem *item,
                       uint32_t node, uint32_t start, uint32_t length) {
  const LunaPlanItem *items = index->items->items;
  if (index->latest_ends[node] <= plan_item_first(item) ||
      plan_item_first(&items[index->by_first[start]]) >= plan_item_end(item))
    return;
  if (length == 1) {
    uint32_t other = index->by_first[start];
    if (luna_plan_items_conflict(&items[other], item))
      index->found[index->found_count++] = other;
    return;
  }
  find_below(index, item, 2 * node, start, length / 2);
  find_below(index, item, 2 * node + 1, start + length / 2, length / 2);
}

void luna_plan_index_find(LunaPlanIndex *index, const LunaPlanItem *item) {
  index->found_count = 0;
  find_below(index, item, 1, 0, index->leaf_count);
}
