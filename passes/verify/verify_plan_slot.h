#ifndef VERIFY_PLAN_SLOT_H
#define VERIFY_PLAN_SLOT_H

// What is known of one slot's bytes, and what would be known of them if the
// conditions of earlier branches were.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"
#include "verify_plan_cover.h"

typedef struct LunaVerifySplit LunaVerifySplit;

typedef struct LunaVerifySlot {
  /// NULL on paths on which the tag does not lie here.
  const LunaVerifyCover *cover;
  /// NULL where the slot was written since the last branch that made it differ.
  const LunaVerifySplit *split;
  /// True if the place was allocated anew since: what is written there now is
  /// another value.
  bool is_stale;
  /// One more than the slot of the value that a select is here, or 0 if that is
  /// not known: what is written through one is written through both.
  uint32_t twin;
} LunaVerifySlot;

/// What a slot held on either side of a condition: a later branch on the same
/// condition, or a select by it, knows which. A side may be split by the
/// condition of an earlier branch.
struct LunaVerifySplit {
  MlirValue condition;
  uint32_t depth; ///< conditions on the longest way down, this included
  LunaVerifySlot sides[2]; ///< where it is true, where it is false
};

/// Returns the record of both sides of `condition`. Beyond a depth of eight
/// conditions the earlier ones are forgotten.
const LunaVerifySplit *luna_verify_slot_split(LunaArena *arena,
                                              MlirValue condition,
                                              const LunaVerifySlot *on_true,
                                              const LunaVerifySlot *on_false);

/// Changes `ours` to what holds of it and of `theirs` alike, with no split;
/// `branch` (may be NULL) is the decision that leads to `theirs`.
void luna_verify_slot_meet(LunaArena *arena, LunaVerifySlot *ours,
                           const LunaVerifySlot *theirs,
                           const LunaVerifyDecision *branch);

/// Keeps what holds where `condition` is true (side 0) or false (side 1).
/// Returns false if that changes nothing.
bool luna_verify_slot_assume(LunaArena *arena, LunaVerifySlot *slot,
                             MlirValue condition, intptr_t side);

/// Returns true if a byte in [lo, hi) is written, or is on a side of a split.
bool luna_verify_slot_is_readable(const LunaVerifySlot *slot, int64_t lo,
                                  int64_t hi);

#endif // VERIFY_PLAN_SLOT_H
