#include "plan_placed.h"

#include <string.h>

#include "plan_gap.h"

// An item that was placed.
typedef struct Entry {
  int64_t offset, end;
  uint32_t first_point, end_point;
  uint32_t item;
  // True if it is live in all of [first_point, end_point).
  bool is_whole;
} Entry;

enum { BLOCK_ROOM = 256 };

typedef struct Block {
  uint32_t count;
  // All are live in [core_first, core_end), if that is not empty and all are
  // whole; none outside [first_point, end_point).
  uint32_t first_point, end_point, core_first, core_end;
  bool is_whole;
  // The highest end, and the largest gap that all entries leave.
  int64_t end, largest_gap;
  Entry *entries;
} Block;

struct LunaPlanPlaced {
  const LunaPlanItems *items;
  LunaArena *arena;
  // By ascending offset; none is empty but the first.
  Block *blocks;
  uint32_t block_count;
};

static Block make_block(LunaArena *arena) {
  return (Block){.entries = LUNA_ARENA_ARRAY(arena, Entry, BLOCK_ROOM)};
}

LunaPlanPlaced *luna_plan_placed_create(const LunaPlanItems *items,
                                        LunaArena *arena) {
  LunaPlanPlaced *placed = LUNA_ARENA_ARRAY(arena, LunaPlanPlaced, 1);
  // Full blocks are split in halves, so each new one has at least half a block
  // of items.
  uint32_t room = items->count / (BLOCK_ROOM / 2) + 2;
  *placed = (LunaPlanPlaced){
      .items = items,
      .arena = arena,
      .blocks = LUNA_ARENA_ARRAY(arena, Block, room),
      .block_count = 1,
  };
  placed->blocks[0] = make_block(arena);
  return placed;
}

// Computes the summary of a block from its entries.
static void summarise(Block *block) {
  *block = (Block){.count = block->count,
                   .entries = block->entries,
                   .first_point = UINT32_MAX,
                   .core_end = UINT32_MAX,
                   .is_whole = true,
                   .end = block->entries[0].end};
  for (uint32_t i = 0; i < block->count; ++i) {
    const Entry *entry = &block->entries[i];
    if (block->first_point > entry->first_point)
      block->first_point = entry->first_point;
    if (block->end_point < entry->end_point)
      block->end_point = entry->end_point;
    if (block->core_first < entry->first_point)
      block->core_first = entry->first_point;
    if (block->core_end > entry->end_point)
      block->core_end = entry->end_point;
    block->is_whole &= entry->is_whole;
    if (block->largest_gap < entry->offset - block->end)
      block->largest_gap = entry->offset - block->end;
    if (block->end < entry->end)
      block->end = entry->end;
  }
}

// Moves the upper half of a full block to a new one behind it.
static void split(LunaPlanPlaced *placed, uint32_t full) {
  Block *block = &placed->blocks[full];
  uint32_t half = BLOCK_ROOM / 2;
  memmove(block + 2, block + 1,
          sizeof(Block) * (placed->block_count - full - 1));
  block[1] = make_block(placed->arena);
  memcpy(block[1].entries, block->entries + half, half * sizeof(Entry));
  block[1].count = half;
  block->count = half;
  ++placed->block_count;
  summarise(&block[0]);
  summarise(&block[1]);
}

// Returns the last block that begins at or below `offset`, or the first.
static uint32_t block_at(const LunaPlanPlaced *placed, int64_t offset) {
  uint32_t low = 0, high = placed->block_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (placed->blocks[middle].entries[0].offset <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void luna_plan_placed_insert(LunaPlanPlaced *placed, uint32_t item,
                             int64_t offset) {
  const LunaPlanItem *self = &placed->items->items[item];
  uint32_t at = block_at(placed, offset);
  Block *block = &placed->blocks[at];
  uint32_t index = block->count;
  while (index > 0 && block->entries[index - 1].offset > offset)
    --index;
  memmove(block->entries + index + 1, block->entries + index,
          (block->count - index) * sizeof(Entry));
  block->entries[index] = (Entry){
      .offset = offset,
      .end = offset + self->size_bytes,
      .first_point = plan_item_first(self),
      .end_point = plan_item_end(self),
      .item = item,
      .is_whole = self->lifetime.range_count == 1,
  };
  if (++block->count == BLOCK_ROOM)
    split(placed, at);
  else
    summarise(block);
}

// Passes the entries of a block that conflict with an item. Returns true if no
// better gap can follow.
static bool pass_entries(const LunaPlanPlaced *placed, const Block *block,
                         const LunaPlanItem *item, LunaPlanGap *gap) {
  uint32_t first = plan_item_first(item), end = plan_item_end(item);
  bool is_whole = item->lifetime.range_count == 1;
  for (uint32_t i = 0; i < block->count; ++i) {
    const Entry *other = &block->entries[i];
    if (other->first_point >= end || other->end_point <= first ||
        other->end <= gap->top)
      continue;
    if (!(is_whole && other->is_whole) &&
        !luna_plan_items_conflict(item, &placed->items->items[other->item]))
      continue;
    if (plan_gap_pass(gap, other->offset, other->end))
      return true;
  }
  return false;
}

int64_t luna_plan_placed_find(const LunaPlanPlaced *placed, uint32_t item,
                              LunaPlanFit fit) {
  const LunaPlanItem *self = &placed->items->items[item];
  uint32_t first = plan_item_first(self), end = plan_item_end(self);
  bool is_whole = self->lifetime.range_count == 1;
  LunaPlanGap gap = plan_gap_make(self, fit);
  for (uint32_t i = 0; i < placed->block_count; ++i) {
    const Block *block = &placed->blocks[i];
    if (block->count == 0 || block->end <= gap.top ||
        block->first_point >= end || block->end_point <= first)
      continue;
    bool conflicts_whole = is_whole && block->is_whole &&
                           block->core_first < end && block->core_end > first;
    bool is_done =
        conflicts_whole && block->largest_gap < self->size_bytes
            ? plan_gap_pass(&gap, block->entries[0].offset, block->end)
            : pass_entries(placed, block, self, &gap);
    if (is_done)
      break;
  }
  return plan_gap_offset(&gap);
}
