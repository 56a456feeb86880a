#ifndef LUNA_PLAN_LEAF_H
#define LUNA_PLAN_LEAF_H

#include "plan_items.h"

/// A part of a problem that can be planned on its own: its items meet no
/// others, but for some that meet all of them and lie below.
typedef struct PlanLeaf {
  uint32_t *members;
  uint32_t member_count;
  /// Bytes below the leaf, taken by items that meet all of its.
  int64_t base_bytes;
} PlanLeaf;

typedef struct PlanLeaves {
  PlanLeaf *leaves;
  uint32_t count;
  /// Bytes of the largest set of items found that all meet each other (with
  /// gaps in lifetimes they need not be live at one point): no plan is
  /// smaller.
  int64_t clique_bytes;
} PlanLeaves;

/// The unit in which sizes and offsets can be counted without loss: some
/// smallest plan has only multiples of it. At least 1.
int64_t plan_unit_bytes(const PlanItems *items);

/// Takes a problem apart, in `arena`: items that meet no other part are
/// planned apart, and an item that meets all others of its part goes to the
/// bottom (its offset is written to `offsets`), which may part the rest
/// again. Items without size or life get offset 0 and stand in no leaf.
PlanLeaves plan_take_apart(const PlanItems *items, int64_t unit_bytes,
                           int64_t *offsets, LunaArena *arena);

#endif // LUNA_PLAN_LEAF_H
