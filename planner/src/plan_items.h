#ifndef LUNA_PLAN_ITEMS_H
#define LUNA_PLAN_ITEMS_H

#include "luna/plan.h"

/// The flat problem that every strategy solves: items that each need a
/// stretch of memory at some points of one line. Buffers in one place are one
/// item; branches and loops are already expressed in the lifetimes.

/// One thing to place.
typedef struct PlanItem {
  int64_t size_bytes;
  int64_t align_bytes;
  /// The offset it must have, or -1.
  int64_t fixed_offset_bytes;
  /// Ascending, apart, none empty.
  LunaLifetime lifetime;
  /// What the caller knows it by.
  uint32_t id;
} PlanItem;

/// All items, with what strategies ask for again and again.
typedef struct PlanItems {
  PlanItem *items;
  uint32_t count;
  /// Points of the line: lifetimes lie in [0, point_count).
  uint32_t point_count;
  /// How long it takes to come to each point, one more than there are; NULL
  /// where every point lasts 1.
  const int64_t *times;
  /// Items that are live together with item i are
  /// neighbours[neighbour_starts[i] .. neighbour_starts[i + 1]), by rising
  /// index; NULL until plan_items_connect, and where it found too many.
  const uint64_t *neighbour_starts;
  const uint32_t *neighbours;
  /// Pairs of ranges that meet, counted where neighbours are not listed.
  uint64_t conflict_count;
} PlanItems;

/// The first and the end point of an item's life.
static inline uint32_t plan_item_first(const PlanItem *item) {
  return item->lifetime.range_count ? item->lifetime.ranges[0].first : 0;
}
static inline uint32_t plan_item_end(const PlanItem *item) {
  uint32_t count = item->lifetime.range_count;
  return count ? item->lifetime.ranges[count - 1].end : 0;
}

/// How long an item is live, in points or as long as those last.
int64_t plan_item_length(const PlanItems *items, uint32_t item);

/// Says whether two items are live at some point together.
/// O(ranges of both).
bool plan_items_meet(const PlanItem *a, const PlanItem *b);

/// Items up to which neighbours are always listed, and conflicts up to which
/// they are listed for more items than that.
enum { PLAN_LISTED_ITEMS = 4096, PLAN_LISTED_CONFLICTS = 16 << 20 };

/// Finds the neighbours of all items, in `arena`, unless there are too many to
/// list. Items of size 0 have none. O(n log n + conflicts).
void plan_items_connect(PlanItems *items, LunaArena *arena);

/// The heaviest point of a problem.
typedef struct PlanBound {
  int64_t bytes;
  uint32_t point;
} PlanBound;

/// Gives a size below which no plan can be, and the first point that shows it.
///
/// At a point all offsets are multiples of the smallest alignment there, so
/// that sizes count rounded up to it, all but the one with the most slack. A
/// fixed item needs all up to its end, and one that is never live still has to
/// lie in the memory.
PlanBound plan_items_bound(const PlanItems *items);

/// Gives the end of the highest item under `offsets`.
int64_t plan_items_peak(const PlanItems *items, const int64_t *offsets);

#endif // LUNA_PLAN_ITEMS_H
