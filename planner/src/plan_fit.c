// Placing items one by one, given those placed before.

#include "plan_gap.h"
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

// An interval index of the placed items: a tree over all items in the order of
// their first points, with the latest end of the placed ones below each node
// (0: none).
typedef struct Index {
  const LunaPlanItems *items;
  uint32_t *by_first;
  uint32_t *latest_ends;
  uint32_t *leaf_of;
  uint32_t leaf_count;
  // The result of a query.
  uint32_t *found;
  uint32_t found_count;
} Index;

static bool is_first(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = ((const LunaPlanItems *)context)->items;
  return plan_item_first(&items[a]) < plan_item_first(&items[b]);
}

static Index make_index(const LunaPlanItems *items, LunaArena *arena) {
  Index index = {.items = items, .leaf_count = 1};
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

static void add_to_index(Index *index, uint32_t item) {
  uint32_t end = plan_item_end(&index->items->items[item]);
  for (uint32_t at = index->leaf_count + index->leaf_of[item]; at > 0; at /= 2)
    if (index->latest_ends[at] < end)
      index->latest_ends[at] = end;
}

// Collects the placed items that conflict with `item` below `node`, whose
// leaves begin at `start`; visits only nodes with an end after its first point.
static void find_in_index(Index *index, const LunaPlanItem *item, uint32_t node,
                          uint32_t start, uint32_t length) {
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
  find_in_index(index, item, 2 * node, start, length / 2);
  find_in_index(index, item, 2 * node + 1, start + length / 2, length / 2);
}

// Places by the index: for large problems with few conflicts each.
static void place_by_index(const LunaPlanItems *items, const uint32_t *order,
                           uint32_t count, LunaPlanFit fit, int64_t *offsets,
                           LunaArena *arena) {
  Index index = make_index(items, arena);
  for (uint32_t i = 0; i < items->count; ++i)
    if (offsets[i] >= 0 && items->items[i].size_bytes > 0)
      add_to_index(&index, i);
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items->items[order[i]];
    index.found_count = 0;
    if (item->size_bytes > 0 && item->lifetime.range_count > 0) {
      find_in_index(&index, item, 1, 0, index.leaf_count);
      add_to_index(&index, order[i]);
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
