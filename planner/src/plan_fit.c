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

// An item that was placed.
typedef struct Placed {
  int64_t offset, end;
  uint32_t first_point, end_point;
  uint32_t item;
} Placed;

enum { BLOCK_ROOM = 256 };

// A stretch of the list of all placed items by rising offset.
typedef struct Block {
  uint32_t count, next;
  Placed entries[BLOCK_ROOM];
} Block;

typedef struct PlacedList {
  const PlanItems *items;
  Block *blocks;
  uint32_t block_count;
} PlacedList;

static PlacedList make_list(const PlanItems *items, LunaArena *arena) {
  PlacedList list = {.items = items, .block_count = 1};
  // Blocks are split in halves when full, so each new one takes at least half
  // a block of items.
  uint32_t room = items->count / (BLOCK_ROOM / 2) + 2;
  list.blocks = LUNA_ARENA_ARRAY(arena, Block, room);
  list.blocks[0].next = NONE;
  return list;
}

static void split(PlacedList *list, uint32_t full) {
  Block *block = &list->blocks[full];
  Block *behind = &list->blocks[list->block_count];
  uint32_t half = BLOCK_ROOM / 2;
  memcpy(behind->entries, block->entries + half, half * sizeof(Placed));
  behind->count = half;
  behind->next = block->next;
  block->count = half;
  block->next = list->block_count++;
}

static void insert(PlacedList *list, uint32_t item, int64_t offset) {
  const PlanItem *self = &list->items->items[item];
  uint32_t at = 0;
  Block *block = &list->blocks[at];
  while (block->next != NONE &&
         list->blocks[block->next].entries[0].offset <= offset) {
    at = block->next;
    block = &list->blocks[at];
  }
  uint32_t index = block->count;
  while (index > 0 && block->entries[index - 1].offset > offset)
    --index;
  memmove(block->entries + index + 1, block->entries + index,
          (block->count - index) * sizeof(Placed));
  block->entries[index] = (Placed){
      .offset = offset,
      .end = offset + self->size_bytes,
      .first_point = plan_item_first(self),
      .end_point = plan_item_end(self),
      .item = item,
  };
  if (++block->count == BLOCK_ROOM)
    split(list, at);
}

// Looks for the place of an item among all that are placed.
static int64_t find_place(const PlacedList *list, uint32_t item, PlanFit fit) {
  const PlanItem *self = &list->items->items[item];
  uint32_t first = plan_item_first(self), end = plan_item_end(self);
  Gap gap = make_gap(self, fit);
  for (uint32_t at = 0; at != NONE; at = list->blocks[at].next) {
    const Block *block = &list->blocks[at];
    for (uint32_t i = 0; i < block->count; ++i) {
      const Placed *other = &block->entries[i];
      if (other->first_point >= end || other->end_point <= first ||
          !plan_items_meet(self, &list->items->items[other->item]))
        continue;
      if (pass(&gap, other->offset, other->end))
        return chosen(&gap);
    }
  }
  return chosen(&gap);
}

// Places by walks over everything placed: for problems with so many conflicts
// that listing them costs more.
static void place_in_walks(const PlanItems *items, const uint32_t *order,
                           uint32_t count, PlanFit fit, int64_t *offsets,
                           LunaArena *arena) {
  PlacedList list = make_list(items, arena);
  for (uint32_t i = 0; i < items->count; ++i)
    if (offsets[i] >= 0 && items->items[i].size_bytes > 0)
      insert(&list, i, offsets[i]);
  for (uint32_t i = 0; i < count; ++i) {
    const PlanItem *item = &items->items[order[i]];
    offsets[order[i]] = 0;
    if (item->size_bytes == 0 || item->lifetime.range_count == 0)
      continue;
    offsets[order[i]] = find_place(&list, order[i], fit);
    insert(&list, order[i], offsets[order[i]]);
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
