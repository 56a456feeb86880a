// Placing items one by one beside those placed before.

#include <string.h>

#include "luna/checked.h"
#include "plan_strategy.h"

#define NONE UINT32_MAX

uint32_t *plan_order_items(const PlanItems *items, PlanBefore before,
                           const void *context, uint32_t *count,
                           LunaArena *arena) {
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  *count = 0;
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].fixed_offset_bytes < 0)
      order[(*count)++] = i;
  plan_sort(order, *count, before, context, arena);
  return order;
}

// Looks for a gap while obstacles pass by in rising offset.
typedef struct Gap {
  int64_t size_bytes, align_bytes;
  PlanFit fit;
  // The end of the obstacles so far; the gap chosen and its size.
  int64_t top, offset, room;
  bool is_found;
} Gap;

static Gap make_gap(const PlanItem *item, PlanFit fit) {
  return (Gap){.size_bytes = item->size_bytes,
               .align_bytes = item->align_bytes,
               .fit = fit,
               .room = INT64_MAX};
}

// Passes an obstacle; true when nothing better can come.
static bool pass(Gap *gap, int64_t offset, int64_t end) {
  int64_t start = luna_align_up(gap->top, gap->align_bytes);
  int64_t room = offset - start;
  if (gap->fit != PLAN_FIT_TOP && room >= gap->size_bytes && room < gap->room) {
    gap->offset = start;
    gap->room = room;
    gap->is_found = true;
  }
  if (gap->top < end)
    gap->top = end;
  return gap->is_found && gap->fit == PLAN_FIT_LOWEST;
}

static int64_t chosen(const Gap *gap) {
  return gap->is_found ? gap->offset
                       : luna_align_up(gap->top, gap->align_bytes);
}

static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const int64_t *offsets = context;
  return offsets[a] < offsets[b];
}

// Places by lists of neighbours.
static void place_beside_neighbours(const PlanItems *items,
                                    const uint32_t *order, uint32_t count,
                                    PlanFit fit, int64_t *offsets,
                                    LunaArena *arena) {
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
    Gap gap = make_gap(&items->items[item], fit);
    for (uint32_t k = 0; k < placed_count; ++k)
      if (pass(&gap, offsets[placed[k]],
               offsets[placed[k]] + items->items[placed[k]].size_bytes))
        break;
    offsets[item] = chosen(&gap);
  }
}

// An item that was placed, in a list by rising offset.
typedef struct Placed {
  int64_t offset, end;
  uint32_t first_point, end_point;
  uint32_t item, next;
} Placed;

typedef struct PlacedList {
  const PlanItems *items;
  // The first entry is a sentinel below all others.
  Placed *entries;
  uint32_t count;
} PlacedList;

static void insert(PlacedList *list, uint32_t item, int64_t offset,
                   uint32_t below) {
  const PlanItem *self = &list->items->items[item];
  Placed *entries = list->entries;
  while (entries[below].next != NONE &&
         entries[entries[below].next].offset <= offset)
    below = entries[below].next;
  entries[list->count] = (Placed){
      .offset = offset,
      .end = offset + self->size_bytes,
      .first_point = plan_item_first(self),
      .end_point = plan_item_end(self),
      .item = item,
      .next = entries[below].next,
  };
  entries[below].next = list->count++;
}

static bool meets(const PlacedList *list, const PlanItem *item, uint32_t first,
                  uint32_t end, const Placed *other) {
  if (other->first_point >= end || other->end_point <= first)
    return false;
  const PlanItem *placed = &list->items->items[other->item];
  return (item->lifetime.range_count == 1 &&
          placed->lifetime.range_count == 1) ||
         plan_items_meet(item, placed);
}

// Finds the place of an item by a walk over all that are placed, and puts it
// into the list.
static int64_t place_in_list(PlacedList *list, uint32_t item, PlanFit fit) {
  const PlanItem *self = &list->items->items[item];
  uint32_t first = plan_item_first(self), end = plan_item_end(self);
  Gap gap = make_gap(self, fit);
  const Placed *entries = list->entries;
  // The last entry known to lie below the place found.
  uint32_t below = 0;
  for (uint32_t at = entries[0].next; at != NONE; at = entries[at].next) {
    if (!meets(list, self, first, end, &entries[at]))
      continue;
    if (pass(&gap, entries[at].offset, entries[at].end))
      break;
    if (entries[at].offset <= chosen(&gap))
      below = at;
  }
  if (entries[below].offset > chosen(&gap))
    below = 0;
  insert(list, item, chosen(&gap), below);
  return chosen(&gap);
}

// Places by walks over everything placed: for problems with so many conflicts
// that listing them costs more.
static void place_in_walks(const PlanItems *items, const uint32_t *order,
                           uint32_t count, PlanFit fit, int64_t *offsets,
                           LunaArena *arena) {
  PlacedList list = {.items = items, .count = 1};
  list.entries = LUNA_ARENA_ARRAY(arena, Placed, items->count + 1);
  list.entries[0] = (Placed){.offset = -1, .next = NONE};
  for (uint32_t i = 0; i < items->count; ++i)
    if (offsets[i] >= 0 && items->items[i].size_bytes > 0)
      insert(&list, i, offsets[i], 0);
  for (uint32_t i = 0; i < count; ++i) {
    const PlanItem *item = &items->items[order[i]];
    bool is_nothing = item->size_bytes == 0 || item->lifetime.range_count == 0;
    offsets[order[i]] = is_nothing ? 0 : place_in_list(&list, order[i], fit);
  }
}

void plan_place_in_order(const PlanItems *items, const uint32_t *order,
                         uint32_t count, PlanFit fit, int64_t *offsets,
                         LunaArena *arena) {
  for (uint32_t i = 0; i < items->count; ++i)
    offsets[i] = items->items[i].fixed_offset_bytes;
  if (items->neighbour_starts)
    place_beside_neighbours(items, order, count, fit, offsets, arena);
  else
    place_in_walks(items, order, count, fit, offsets, arena);
}

void plan_place_sorted(const PlanStrategy *self, const PlanItems *items,
                       PlanContext *context, int64_t *offsets,
                       LunaArena *arena) {
  (void)context;
  uint32_t count = 0;
  const uint32_t *order =
      plan_order_items(items, self->before, items, &count, arena);
  plan_place_in_order(items, order, count, self->fit, offsets, arena);
}

void plan_place_apart(const PlanStrategy *self, const PlanItems *items,
                      PlanContext *context, int64_t *offsets,
                      LunaArena *arena) {
  (void)self;
  (void)context;
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
