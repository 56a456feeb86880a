#ifndef LUNA_PLAN_LEAF_H
#define LUNA_PLAN_LEAF_H

#include "plan_items.h"
#include "plan_tricks.h"

/// A part of a problem that is planned on its own: its items conflict with no
/// others, except items that conflict with all of them and are placed below.
typedef struct LunaPlanLeaf {
  uint32_t *members;
  uint32_t member_count;
  /// The bytes below the leaf, occupied by items that conflict with all of it.
  int64_t base_bytes;
} LunaPlanLeaf;

typedef struct LunaPlanLeaves {
  LunaPlanLeaf *leaves;
  uint32_t count;
  /// The bytes of the heaviest point, or of the largest clique of conflicting
  /// items found (with gaps in lifetimes they need not be live at one point):
  /// no plan is smaller.
  int64_t clique_bytes;
} LunaPlanLeaves;

/// Returns the largest unit for sizes and offsets such that some smallest plan
/// has only multiples of it. At least 1.
int64_t luna_plan_unit_bytes(const LunaPlanItems *items);

/// Decomposes a problem, in `arena`: connected components are separate leaves,
/// and an item that conflicts with all others of its component is placed at the
/// bottom (its offset is written to `offsets`), which may disconnect the rest.
/// Items without size or lifetime get offset 0 and are in no leaf. Of
/// `without`, `peel` and `cliques` count.
LunaPlanLeaves luna_plan_decompose(const LunaPlanItems *items,
                                   int64_t unit_bytes,
                                   const LunaPlanWithout *without,
                                   int64_t *offsets, LunaArena *arena);

#endif // LUNA_PLAN_LEAF_H
