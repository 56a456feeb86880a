#ifndef LUNA_PLAN_SEARCH_STATE_H
#define LUNA_PLAN_SEARCH_STATE_H

#include "luna/vector.h"
#include "plan_search.h"
#include "plan_sections.h"

/// The state of a search: the placed items, the lowest offset of the others,
/// and the sections that can still be filled. Every step can be undone.

/// The changes that can be undone: a raised lowest offset, a new witness of a
/// section, a placed item.
typedef enum LunaPlanChangeKind {
  PLAN_CHANGE_LOW,
  PLAN_CHANGE_WITNESS,
  PLAN_CHANGE_PLACED,
} LunaPlanChangeKind;

typedef struct LunaPlanChange {
  LunaPlanChangeKind kind;
  uint32_t index;
  int64_t old;
} LunaPlanChange;

/// A failed subproblem: two hashes of its items and their lowest offsets.
typedef struct LunaPlanMemo {
  uint64_t key, check;
} LunaPlanMemo;

/// The number of failed subproblems kept, per item and in total.
enum { PLAN_MEMOS_PER_ITEM = 64, PLAN_MAX_MEMOS = 1 << 15 };

/// The ranges that fixed items occupy, rising: those of row i are
/// ranges[starts[i] .. starts[i + 1]).
typedef struct LunaPlanRange {
  int64_t begin, end;
} LunaPlanRange;

typedef struct LunaPlanRanges {
  uint32_t *starts;
  LunaPlanRange *ranges;
} LunaPlanRanges;

struct LunaPlanSearch {
  LunaPlanSections sections;
  /// What is fixed among the neighbours of each item, and in each section.
  LunaPlanRanges fixed_beside, fixed_in;
  bool has_fixed;
  LunaArena *arena;
  int64_t capacity;
  const LunaPlanOrder *order;
  uint64_t steps, step_limit;
  /// The sum of the placed sizes, its largest value so far, and when it was
  /// reached.
  int64_t placed_size, largest_placed_size;
  uint64_t largest_at_step;
  /// Per item.
  bool *is_placed;
  int64_t *offsets, *low;
  /// Per item, within its part: the total of its heaviest section, and its
  /// rank.
  int64_t *totals;
  uint32_t *ranks;
  uint32_t *next, *previous, *killer;
  /// The section that was last left without a witness, or UINT32_MAX.
  uint32_t failed_section;
  /// Per section: the sum of its unplaced items, the highest offset at which
  /// they fit, their number, and one of them that can be placed there (the
  /// witness).
  int64_t *left, *limit;
  uint32_t *unplaced_count, *witness;
  /// The number of unplaced items that are live on both sides of the end of
  /// each section.
  uint32_t *crossing;
  /// The sections of which each item is the witness, one bit each.
  uint64_t *witnessed;
  LUNA_VECTOR(LunaPlanChange) changes;
  /// A stack of candidates and of members of parts.
  LUNA_VECTOR(uint32_t) stack;
  /// The memo table; its size is a power of two.
  LunaPlanMemo *memos;
  uint32_t memo_count;
};

/// Pushes a number on the stack.
void luna_plan_state_push(LunaPlanSearch *search, uint32_t value);

/// Resets the state to no items placed. Returns false if some section or item
/// cannot fit at all.
bool luna_plan_state_start(LunaPlanSearch *search, int64_t capacity);

/// Places an item at its lowest offset. Returns false if another item cannot be
/// placed then. luna_plan_state_undo undoes it in both cases.
bool luna_plan_state_place(LunaPlanSearch *search, uint32_t item);

/// Undoes all changes except the first `mark`.
void luna_plan_state_undo(LunaPlanSearch *search, uint64_t mark);

/// Returns true if placing `item` leaves the section that failed last time
/// without a witness again: a quick test before luna_plan_state_place.
bool luna_plan_state_is_killed_again(const LunaPlanSearch *search,
                                     uint32_t item);

/// Returns true if an item has an unplaced neighbour.
bool luna_plan_state_has_neighbour(const LunaPlanSearch *search, uint32_t item);

#endif // LUNA_PLAN_SEARCH_STATE_H
