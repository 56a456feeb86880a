// Placing items one by one, given those placed before.

#include <string.h>

#include "luna/checked.h"
#include "plan_strategy.h"

#define NONE UINT32_MAX

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

// Finds a gap among obstacles in ascending offset order.
typedef struct Gap {
  int64_t size_bytes, align_bytes;
  LunaPlanFit fit;
  // The end of the obstacles so far; the offset and size of the chosen gap.
  int64_t top, offset, room;
  bool is_found;
} Gap;

static Gap make_gap(const LunaPlanItem *item, LunaPlanFit fit) {
  return (Gap){.size_bytes = item->size_bytes,
               .align_bytes = item->align_bytes,
               .fit = fit,
               .room = INT64_MAX};
}

// Passes an obstacle. Returns true if no better gap can follow.
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

// Returns the offset of an item given its placed neighbours, which are sorted
// in place.
static int64_t place_beside(const LunaPlanItems *items, uint32_t item,
                            uint32_t *placed, uint32_t placed_count,
                            LunaPlanFit fit, const int64_t *offsets) {
  LunaArena scratch = {0};
  luna_plan_sort(placed, placed_count, lies_below, offsets, &scratch);
  luna_arena_destroy(&scratch);
  Gap gap = make_gap(&items->items[item], fit);
  for (uint32_t k = 0; k < placed_count; ++k)
    if (pass(&gap, offsets[placed[k]],
             offsets[placed[k]] + items->items[placed[k]].size_bytes))
      break;
  return chosen(&gap);
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

// An item that was placed.
typedef struct Placed {
  int64_t offset, end;
  uint32_t first_point, end_point;
  uint32_t item;
} Placed;

enum { BLOCK_ROOM = 256 };

// A block of the list of all placed items by ascending offset.
typedef struct Block {
  uint32_t count, next;
  Placed entries[BLOCK_ROOM];
} Block;

typedef struct PlacedList {
  const LunaPlanItems *items;
  Block *blocks;
  uint32_t block_count;
} PlacedList;

static PlacedList make_list(const LunaPlanItems *items, LunaArena *arena) {
  PlacedList list = {.items = items, .block_count = 1};
  // Full blocks are split in halves, so each new one has at least half a block
  // of items.
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
  const LunaPlanItem *self = &list->items->items[item];
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

// Returns the offset of an item among all placed items.
static int64_t find_place(const PlacedList *list, uint32_t item,
                          LunaPlanFit fit) {
  const LunaPlanItem *self = &list->items->items[item];
  uint32_t first = plan_item_first(self), end = plan_item_end(self);
  Gap gap = make_gap(self, fit);
  for (uint32_t at = 0; at != NONE; at = list->blocks[at].next) {
    const Block *block = &list->blocks[at];
    for (uint32_t i = 0; i < block->count; ++i) {
      const Placed *other = &block->entries[i];
      if (other->first_point >= end || other->end_point <= first ||
          !luna_plan_items_conflict(self, &list->items->items[other->item]))
        continue;
      if (pass(&gap, other->offset, other->end))
        return chosen(&gap);
    }
  }
  return chosen(&gap);
}

// Places by walks over all placed items: for problems in which most items
// conflict, so that a walk soon finds a gap.
static void place_in_walks(const LunaPlanItems *items, const uint32_t *order,
                           uint32_t count, LunaPlanFit fit, int64_t *offsets,
                           LunaArena *arena) {
  PlacedList list = make_list(items, arena);
  for (uint32_t i = 0; i < items->count; ++i)
    if (offsets[i] >= 0 && items->items[i].size_bytes > 0)
      insert(&list, i, offsets[i]);
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items->items[order[i]];
    offsets[order[i]] = 0;
    if (item->size_bytes == 0 || item->lifetime.range_count == 0)
      continue;
    offsets[order[i]] = find_place(&list, order[i], fit);
    insert(&list, order[i], offsets[order[i]]);
  }
}

void luna_plan_place_in_order(const LunaPlanItems *items, const uint32_t *order,
                              uint32_t count, LunaPlanFit fit, int64_t *offsets,
                              LunaArena *arena) {
  for (uint32_t i = 0; i < items->count; ++i)
    offsets[i] = items->items[i].fixed_offset_bytes;
  uint64_t pairs = (uint64_t)items->count * items->count;
  if (items->neighbour_starts)
    place_by_lists(items, order, count, fit, offsets, arena);
  else if (items->conflict_count < pairs / 64)
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
