#ifndef LUNA_PLAN_INDEX_H
#define LUNA_PLAN_INDEX_H

#include "plan_items.h"

/// An interval index: a tree over all items in the order of their first points,
/// with the latest end of those that were added below each node (0: none).
typedef struct LunaPlanIndex {
  const LunaPlanItems *items;
  uint32_t *by_first;
  uint32_t *latest_ends;
  uint32_t *leaf_of;
  uint32_t leaf_count;
  /// The result of luna_plan_index_find, with room for all items.
  uint32_t *found;
  uint32_t found_count;
} LunaPlanIndex;

/// Returns an index without any items, in `arena`. O(n log n).
LunaPlanIndex luna_plan_index_make(const LunaPlanItems *items,
                                   LunaArena *arena);

/// Adds an item. O(log n).
void luna_plan_index_add(LunaPlanIndex *index, uint32_t item);

/// Finds the items in the index that conflict with `item`, in the order of
/// their first points. O(log n) for each item live within its lifetime.
void luna_plan_index_find(LunaPlanIndex *index, const LunaPlanItem *item);

#endif // LUNA_PLAN_INDEX_H
