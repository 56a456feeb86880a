// States of luna-verify-plan: copying, joining, writing, reading.

#include "verify_plan_state.h"

#include "luna-c/ops.h"

typedef LunaVerifyCover Cover;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static bool is_arena_slot(const LunaVerifyStates *states, uint32_t slot) {
  return states->values->places.items[states->values->slot_place[slot]]
      .is_planned;
}

LunaVerifyState luna_verify_state_entry(const LunaVerifyStates *states) {
  return (LunaVerifyState){
      .slots = LUNA_ARENA_ARRAY(states->arena, LunaVerifySlot,
                                states->values->slot_count),
  };
}

LunaVerifyState luna_verify_state_clone(const LunaVerifyStates *states,
                                        const LunaVerifyState *state) {
  uint32_t slot_count = states->values->slot_count;
  LunaVerifyState clone = *state;
  clone.slots = luna_arena_grow(states->arena, state->slots, slot_count,
                                slot_count, sizeof *clone.slots);
  clone.transfers.items = luna_arena_grow(
      states->arena, state->transfers.items, state->transfers.count,
      state->transfers.capacity, sizeof(LunaVerifyTransfer));
  clone.tokens.items =
      luna_arena_grow(states->arena, state->tokens.items, state->tokens.count,
                      state->tokens.capacity, sizeof(LunaVerifyToken));
  return clone;
}

static bool same_transfer(const LunaVerifyTransfer *a,
                          const LunaVerifyTransfer *b) {
  return a->token.ptr == b->token.ptr && a->start.ptr == b->start.ptr;
}

static LunaVerifyTransfer *find_transfer(const LunaVerifyState *state,
                                         const LunaVerifyTransfer *transfer) {
  for (uint32_t i = 0; i < state->transfers.count; ++i)
    if (same_transfer(&state->transfers.items[i], transfer))
      return &state->transfers.items[i];
  return NULL;
}

// Tokens spent on both sides or none; one that is none of a transfer on one
// side follows the other.
static bool join_tokens(LunaVerifyState *state, const LunaVerifyState *other,
                        LunaVerifyToken *conflict) {
  for (uint32_t i = 0; i < other->tokens.count; ++i) {
    const LunaVerifyToken *theirs = &other->tokens.items[i];
    LunaVerifyToken *ours = luna_verify_state_token(state, theirs->value);
    if (ours == NULL || ours->status == theirs->status)
      continue;
    if (ours->status != LUNA_VERIFY_TOKEN_NONE &&
        theirs->status != LUNA_VERIFY_TOKEN_NONE) {
      *conflict = ours->status == LUNA_VERIFY_TOKEN_SPENT ? *ours : *theirs;
      return false;
    }
    if (ours->status == LUNA_VERIFY_TOKEN_NONE)
      *ours = *theirs;
  }
  return true;
}

// The record of both sides of an scf.if, or NULL.
static const LunaVerifySplit *split_of(const LunaVerifyStates *states,
                                       const LunaVerifySlot *ours,
                                       const LunaVerifySlot *theirs,
                                       const LunaVerifyDecision *branch) {
  if (ours->cover == theirs->cover)
    return ours->split == theirs->split ? ours->split : NULL;
  if (branch == NULL || branch->region != 1 ||
      !luna_op_is(branch->op, LUNA_OP_SCF_IF))
    return NULL;
  LunaVerifySplit *split = LUNA_ARENA_ARRAY(states->arena, LunaVerifySplit, 1);
  *split =
      (LunaVerifySplit){.condition = mlirOperationGetOperand(branch->op, 0),
                        .covers = {ours->cover, theirs->cover}};
  return split;
}

static void join_slot(const LunaVerifyStates *states, LunaVerifySlot *ours,
                      const LunaVerifySlot *theirs,
                      const LunaVerifyDecision *branch) {
  ours->split = split_of(states, ours, theirs, branch);
  if (theirs->cover == NULL)
    return;
  ours->is_stale = theirs->is_stale || (ours->cover != NULL && ours->is_stale);
  ours->cover =
      luna_verify_cover_meet(states->arena, ours->cover, theirs->cover, branch);
}

void luna_verify_state_assume(const LunaVerifyStates *states,
                              LunaVerifyState *state, MlirValue condition,
                              intptr_t side) {
  for (uint32_t i = 0; i < states->values->slot_count; ++i) {
    LunaVerifySlot *slot = &state->slots[i];
    if (slot->split == NULL || slot->split->condition.ptr != condition.ptr)
      continue;
    slot->cover = slot->split->covers[side];
    slot->split = NULL;
  }
}

bool luna_verify_state_join(const LunaVerifyStates *states,
                            LunaVerifyState *state,
                            const LunaVerifyState *other,
                            const LunaVerifyDecision *branch,
                            LunaVerifyToken *conflict) {
  for (uint32_t i = 0; i < states->values->slot_count; ++i)
    join_slot(states, &state->slots[i], &other->slots[i], branch);
  for (uint32_t i = 0; i < other->transfers.count; ++i) {
    LunaVerifyTransfer *known =
        find_transfer(state, &other->transfers.items[i]);
    if (known == NULL)
      luna_verify_state_add_transfer(states, state, other->transfers.items[i]);
    else if (known->path != other->transfers.items[i].path)
      known->path = NULL;
  }
  return join_tokens(state, other, conflict);
}

void luna_verify_state_credit(const LunaVerifyStates *states,
                              LunaVerifyState *state,
                              const LunaVerifyState *back) {
  const LunaVerifyValues *values = states->values;
  for (uint32_t i = 0; i < values->slot_count; ++i) {
    LunaVerifySlot *slot = &state->slots[i];
    const Cover *other = back->slots[i].cover;
    if (slot->cover != NULL && other != NULL && slot->cover != other &&
        !values->places.items[values->slot_place[i]].is_staging)
      slot->cover = luna_verify_cover_credit(states->arena, slot->cover, other);
  }
}

bool luna_verify_state_equal(const LunaVerifyStates *states,
                             const LunaVerifyState *a,
                             const LunaVerifyState *b) {
  for (uint32_t i = 0; i < states->values->slot_count; ++i)
    if (a->slots[i].is_stale != b->slots[i].is_stale ||
        a->slots[i].split != b->slots[i].split ||
        !luna_verify_cover_equal(a->slots[i].cover, b->slots[i].cover))
      return false;
  if (a->transfers.count != b->transfers.count)
    return false;
  for (uint32_t i = 0; i < a->transfers.count; ++i)
    if (find_transfer(b, &a->transfers.items[i]) == NULL)
      return false;
  for (uint32_t i = 0; i < a->tokens.count; ++i)
    for (uint32_t j = 0; j < b->tokens.count; ++j)
      if (a->tokens.items[i].value.ptr == b->tokens.items[j].value.ptr &&
          a->tokens.items[i].status != b->tokens.items[j].status)
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Allocating, writing, reading
//===----------------------------------------------------------------------===//

void luna_verify_state_allocate(const LunaVerifyStates *states,
                                LunaVerifyState *state, uint32_t slot) {
  const LunaVerifyValues *values = states->values;
  for (uint32_t i = 0; i < values->slot_count; ++i)
    if (values->slot_place[i] == values->slot_place[slot] &&
        state->slots[i].cover != NULL)
      state->slots[i].is_stale = true;
  int64_t bytes = values->places.items[values->slot_place[slot]].bytes;
  state->slots[slot] = (LunaVerifySlot){
      .cover = luna_verify_cover_new(states->arena, bytes),
  };
}

// The bytes of another place that those of `extent` coincide with.
static bool translate(const LunaVerifyValues *values,
                      const LunaVerifyExtent *extent, uint32_t place,
                      int64_t *lo, int64_t *hi) {
  int64_t shift = values->places.items[extent->place].offset_bytes -
                  values->places.items[place].offset_bytes;
  *lo = extent->lo + shift;
  *hi = extent->hi + shift;
  return *lo < values->places.items[place].bytes && *hi > 0 && *lo < *hi;
}

// Writes through one home into the tag's own slot or one that shares it. A
// tensor written in part counts as written: programs do copy buffers of which
// a part is still to come. Staging buffers are filled exactly.
static void write_own(const LunaVerifyStates *states, LunaVerifySlot *slot,
                      const LunaVerifyExtent *extent,
                      const LunaVerifyWrite *write) {
  LunaArena *arena = states->arena;
  bool is_staging = states->values->places.items[extent->place].is_staging;
  bool is_precise = write->is_whole && extent->is_exact && extent->is_dense;
  slot->split = NULL;
  if (is_precise)
    slot->cover = luna_verify_cover_write(arena, slot->cover, extent->lo,
                                          extent->hi, write->content);
  if (!is_precise || !is_staging)
    slot->cover = luna_verify_cover_touch(arena, slot->cover, write->content);
}

static void clobber(const LunaVerifyStates *states, LunaVerifySlot *slot,
                    int64_t lo, int64_t hi, MlirOperation op) {
  const Cover *old = slot->cover;
  slot->cover = luna_verify_cover_clobber(states->arena, old, lo, hi, op);
  if (!luna_verify_cover_equal(old, slot->cover))
    slot->split = NULL;
}

// Writes the bytes of one home; `is_only` says that the tag has no other.
static void write_home(const LunaVerifyStates *states, LunaVerifyState *state,
                       const LunaVerifyExtent *extent, bool is_only,
                       const LunaVerifyWrite *write) {
  const LunaVerifyValues *values = states->values;
  uint32_t tag = values->slot_tag[extent->slot];
  bool is_stale = state->slots[extent->slot].is_stale;
  for (uint32_t i = 0; i < values->slot_count; ++i) {
    LunaVerifySlot *slot = &state->slots[i];
    int64_t lo, hi;
    if (slot->cover == NULL)
      continue;
    bool is_shared =
        values->slot_place[i] == extent->place && slot->is_stale == is_stale;
    if (i == extent->slot || (is_shared && is_only))
      write_own(states, slot, extent, write);
    else if (!is_shared && values->slot_tag[i] != tag &&
             is_arena_slot(states, i) &&
             translate(values, extent, values->slot_place[i], &lo, &hi))
      clobber(states, slot, lo, hi, write->op);
  }
}

void luna_verify_state_write(const LunaVerifyStates *states,
                             LunaVerifyState *state, const LunaVerifyRef *ref,
                             const LunaVerifyWrite *write) {
  uint32_t home_count = states->values->tags.items[ref->tag].homes.count;
  for (uint32_t h = 0; h < home_count; ++h) {
    LunaVerifyExtent extent = luna_verify_values_extent(states->values, ref, h);
    if (is_arena_slot(states, extent.slot) &&
        state->slots[extent.slot].cover != NULL)
      write_home(states, state, &extent, home_count == 1, write);
  }
}

const LunaVerifySegment *
luna_verify_state_unreadable(const LunaVerifyState *state,
                             const LunaVerifyExtent *extent) {
  const Cover *cover = state->slots[extent->slot].cover;
  for (uint32_t i = 0; cover != NULL && i < cover->count; ++i) {
    const LunaVerifySegment *segment = &cover->segments[i];
    if (segment->lo < extent->hi && segment->hi > extent->lo &&
        segment->hold != LUNA_VERIFY_WRITTEN)
      return segment;
  }
  return NULL;
}

int64_t luna_verify_state_content(const LunaVerifyState *state,
                                  const LunaVerifyExtent *extent) {
  const Cover *cover = state->slots[extent->slot].cover;
  int64_t content = LUNA_VERIFY_COMPUTED;
  bool is_first = true;
  for (uint32_t i = 0; cover != NULL && i < cover->count; ++i) {
    const LunaVerifySegment *segment = &cover->segments[i];
    if (segment->lo >= extent->hi || segment->hi <= extent->lo)
      continue;
    if (!is_first && segment->content != content)
      return LUNA_VERIFY_MIXED;
    content = segment->content;
    is_first = false;
  }
  return content;
}
