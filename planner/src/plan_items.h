#ifndef LUNA_PLAN_ITEMS_H
#define LUNA_PLAN_ITEMS_H

#include "luna/plan.h"

/// The flat problem that every strategy solves: items that each need a range of
/// memory at some points of a timeline. Aliases are one item; lifetimes already
/// express branches and loops.

/// An item to place.
typedef struct LunaPlanItem {
  int64_t size_bytes;
  int64_t align_bytes;
  /// The fixed offset, or -1.
  int64_t fixed_offset_bytes;
  /// Ascending, disjoint, non-empty ranges.
  LunaLifetime lifetime;
  /// The caller's name of the item.
  uint32_t id;
} LunaPlanItem;

/// All items, with data that strategies share.
typedef struct LunaPlanItems {
  LunaPlanItem *items;
  uint32_t count;
  /// Points of the timeline: lifetimes lie in [0, point_count).
  uint32_t point_count;
  /// The time at which each point begins, and the end of the last; NULL if
  /// every point lasts 1.
  const int64_t *times;
  /// Items that are live together with item i are
  /// neighbours[neighbour_starts[i] .. neighbour_starts[i + 1]), by rising
  /// index; NULL until luna_plan_items_connect, and if it found too many.
  const uint64_t *neighbour_starts;
  const uint32_t *neighbours;
  /// The number of overlapping pairs of ranges, counted if neighbours are not
  /// listed.
  uint64_t conflict_count;
} LunaPlanItems;

/// Return the first and the end point of an item's lifetime.
static inline uint32_t plan_item_first(const LunaPlanItem *item) {
  return item->lifetime.range_count ? item->lifetime.ranges[0].first : 0;
}
static inline uint32_t plan_item_end(const LunaPlanItem *item) {
  uint32_t count = item->lifetime.range_count;
  return count ? item->lifetime.ranges[count - 1].end : 0;
}

/// Returns the length of an item's lifetime, in points or time.
int64_t luna_plan_item_length(const LunaPlanItems *items, uint32_t item);

/// Returns true if two items conflict: both are live at some point. O(ranges of
/// both).
bool luna_plan_items_conflict(const LunaPlanItem *a, const LunaPlanItem *b);

/// The number of items up to which neighbours are always listed, and of
/// conflicts up to which they are listed for more items.
enum { PLAN_LISTED_ITEMS = 4096, PLAN_LISTED_CONFLICTS = 16 << 20 };

/// Finds the neighbours of all items, in `arena`, unless there are too many to
/// list. Items of size 0 have none. O(n log n + conflicts).
void luna_plan_items_connect(LunaPlanItems *items, LunaArena *arena);

/// A range of an item, or of a member.
typedef struct LunaPlanItemRange {
  uint32_t item;
  LunaSteps steps;
} LunaPlanItemRange;

/// Ranges, and their indices by first point.
typedef struct LunaPlanSweep {
  LunaPlanItemRange *ranges;
  uint32_t count;
  uint32_t *by_first;
} LunaPlanSweep;

/// Collects the ranges of `count` members, each under its index among them; of
/// all items that have a size where `members` is NULL.
LunaPlanSweep luna_plan_sweep(const LunaPlanItems *items,
                              const uint32_t *members, uint32_t count,
                              LunaArena *arena);

/// The heaviest point of a problem.
typedef struct LunaPlanBound {
  int64_t bytes;
  uint32_t point;
} LunaPlanBound;

/// Returns a lower bound of any plan, and the first point that proves it.
///
/// All offsets at a point are multiples of the smallest alignment there, so
/// sizes count rounded up to it, except the one with the most slack. A fixed
/// item needs all memory up to its end; an item that is never live must still
/// be placed.
LunaPlanBound luna_plan_items_bound(const LunaPlanItems *items);

/// Returns the end of the highest item under `offsets`.
int64_t luna_plan_items_peak(const LunaPlanItems *items,
                             const int64_t *offsets);

#endif // LUNA_PLAN_ITEMS_H
