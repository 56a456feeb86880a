#ifndef LUNA_PLAN_SEARCH_STATE_H
#define LUNA_PLAN_SEARCH_STATE_H

#include "plan_search.h"
#include "plan_sections.h"

/// The state of a search: what is placed, how low the rest can lie, and which
/// sections can still be filled; every step can be taken back.

/// What can be taken back: a lowest offset that rose, a section that got
/// another witness, an item that was placed.
typedef enum PlanChangeKind {
  PLAN_CHANGE_LOW,
  PLAN_CHANGE_WITNESS,
  PLAN_CHANGE_PLACED,
} PlanChangeKind;

typedef struct PlanChange {
  PlanChangeKind kind;
  uint32_t index;
  int64_t old;
} PlanChange;

/// A failed sub-problem: two hashes of its items and their lowest offsets.
typedef struct PlanMemo {
  uint64_t key, check;
} PlanMemo;

/// Failed sub-problems kept, per item and at most.
enum { PLAN_MEMOS_PER_ITEM = 64, PLAN_MAX_MEMOS = 1 << 15 };

struct PlanSearch {
  PlanSections sections;
  LunaArena *arena;
  int64_t capacity;
  const PlanOrder *order;
  uint64_t steps, step_limit;
  /// Sum of the sizes of what is placed, and the largest that it was.
  int64_t placed_size, largest_placed_size;
  /// Per item.
  bool *is_placed;
  int64_t *offsets, *low;
  /// Per item, of the part that it is in: heaviest section, and rank.
  int64_t *totals;
  uint32_t *ranks;
  uint32_t *next, *previous, *killer;
  /// Per section: highest offset at which its unplaced items still fit, their
  /// number, and one of them that can lie there.
  int64_t *limit;
  uint32_t *unplaced_count, *witness;
  /// Unplaced items that live on both sides of the end of each section.
  uint32_t *crossing;
  /// Sections of which each item is the witness, a bit each.
  uint64_t *witnessed;
  PlanChange *changes;
  uint64_t change_count, change_room;
  /// Stack of candidates and of members of parts.
  uint32_t *stack;
  uint64_t stack_count, stack_room;
  /// A power of two of slots.
  PlanMemo *memos;
  uint32_t memo_count;
};

/// Puts a number on the stack.
void plan_state_push(PlanSearch *search, uint32_t value);

/// Puts everything back to nothing placed; false when some section or item
/// cannot fit at all.
bool plan_state_start(PlanSearch *search, int64_t capacity);

/// Places an item at its lowest offset; false when some other then cannot be
/// placed. Either way all is noted for plan_state_undo.
bool plan_state_place(PlanSearch *search, uint32_t item);

/// Takes back all changes but the first `mark`.
void plan_state_undo(PlanSearch *search, uint64_t mark);

/// Whether placing `item` leaves the section that killed it last without a
/// witness again: a quick test before the real thing.
bool plan_state_is_killed_again(const PlanSearch *search, uint32_t item);

/// Whether some neighbour of an item is not placed yet.
bool plan_state_has_neighbour(const PlanSearch *search, uint32_t item);

#endif // LUNA_PLAN_SEARCH_STATE_H
