#include "verify_plan_slot.h"

enum { DEPTH_MAX = 8 };

static uint32_t depth_of(const LunaVerifySlot *slot) {
  return slot->split == NULL ? 0 : slot->split->depth;
}

const LunaVerifySplit *luna_verify_slot_split(LunaArena *arena,
                                              MlirValue condition,
                                              const LunaVerifySlot *on_true,
                                              const LunaVerifySlot *on_false) {
  LunaVerifySplit *split = LUNA_ARENA_ARRAY(arena, LunaVerifySplit, 1);
  *split =
      (LunaVerifySplit){.condition = condition, .sides = {*on_true, *on_false}};
  for (int side = 0; side < 2; ++side) {
    if (depth_of(&split->sides[side]) >= DEPTH_MAX)
      split->sides[side].split = NULL;
    uint32_t depth = 1 + depth_of(&split->sides[side]);
    if (split->depth < depth)
      split->depth = depth;
  }
  return split;
}

void luna_verify_slot_meet(LunaArena *arena, LunaVerifySlot *ours,
                           const LunaVerifySlot *theirs,
                           const LunaVerifyDecision *branch) {
  ours->split = NULL;
  if (theirs->cover == NULL)
    return;
  ours->is_stale = theirs->is_stale || (ours->cover != NULL && ours->is_stale);
  if (ours->cover == NULL)
    ours->twin = theirs->twin;
  else if (ours->twin != theirs->twin)
    ours->twin = 0;
  ours->cover =
      luna_verify_cover_meet(arena, ours->cover, theirs->cover, branch);
}

// The side of the slot's outermost condition, or what holds on both sides of it
// where the assumption is about an earlier one.
bool luna_verify_slot_assume(LunaArena *arena, LunaVerifySlot *slot,
                             MlirValue condition, intptr_t side) {
  const LunaVerifySplit *split = slot->split;
  if (split == NULL)
    return false;
  LunaVerifySlot known = split->sides[side];
  if (split->condition.ptr != condition.ptr) {
    LunaVerifySlot sides[2] = {split->sides[0], split->sides[1]};
    bool is_first = luna_verify_slot_assume(arena, &sides[0], condition, side);
    bool is_second = luna_verify_slot_assume(arena, &sides[1], condition, side);
    if (!is_first && !is_second)
      return false;
    known = sides[0];
    luna_verify_slot_meet(arena, &known, &sides[1], NULL);
    known.split =
        luna_verify_slot_split(arena, split->condition, &sides[0], &sides[1]);
  }
  known.is_stale = slot->is_stale; // the place may be allocated anew since
  *slot = known;
  return true;
}

bool luna_verify_slot_is_readable(const LunaVerifySlot *slot, int64_t lo,
                                  int64_t hi) {
  return luna_verify_cover_is_written(slot->cover, lo, hi) ||
         (slot->split != NULL &&
          (luna_verify_slot_is_readable(&slot->split->sides[0], lo, hi) ||
           luna_verify_slot_is_readable(&slot->split->sides[1], lo, hi)));
}
