// States of luna-verify-plan: copying, joining, writing, reading.

#include "verify_plan_state.h"

#include "luna-c/ops.h"

typedef LunaVerifyCover Cover;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static const LunaVerifyPlace *place_of(const LunaVerifyStates *states,
                                       uint32_t slot) {
  return &states->values->places.items[states->values->slot_place[slot]];
}

static bool is_arena_slot(const LunaVerifyStates *states, uint32_t slot) {
  return place_of(states, slot)->is_planned;
}

LunaVerifySlot luna_verify_state_slot(const LunaVerifyState *state,
                                      uint32_t index) {
  const LunaVerifySlot *slot = luna_trie_get(state->slots, index);
  return slot ? *slot : (LunaVerifySlot){0};
}

static bool is_same_slot(const LunaVerifySlot *a, const LunaVerifySlot *b) {
  return a->cover == b->cover && a->split == b->split &&
         a->is_stale == b->is_stale && a->twin == b->twin;
}

void luna_verify_state_set_slot(const LunaVerifyStates *states,
                                LunaVerifyState *state, uint32_t index,
                                LunaVerifySlot slot) {
  const LunaVerifySlot old = luna_verify_state_slot(state, index);
  if (is_same_slot(&old, &slot))
    return;
  LunaVerifySlot *copy = NULL;
  if (slot.cover != NULL) {
    copy = LUNA_ARENA_ARRAY(states->arena, LunaVerifySlot, 1);
    *copy = slot;
  }
  luna_trie_set(states->arena, &state->slots, index, copy);
  luna_trie_set(states->arena, &state->splits, index,
                copy && copy->split ? copy : NULL);
  if (is_arena_slot(states, index))
    luna_trie_set(
        states->arena, &state->readable, states->ranks->ranks[index],
        copy && luna_verify_slot_is_readable(copy, 0, INT64_MAX) ? copy : NULL);
}

LunaVerifyState luna_verify_state_clone(const LunaVerifyStates *states,
                                        const LunaVerifyState *state) {
  LunaVerifyState clone = *state;
  clone.transfers.items = luna_arena_grow(
      states->arena, state->transfers.items, state->transfers.count,
      state->transfers.capacity, sizeof(LunaVerifyTransfer));
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
static bool join_tokens(const LunaVerifyStates *states, LunaVerifyState *state,
                        const LunaVerifyState *other,
                        LunaVerifyToken *conflict) {
  const LunaTrie before = state->tokens;
  for (uint32_t i = 0; luna_trie_next_difference(before, other->tokens, &i);
       ++i) {
    const LunaVerifyToken *ours = luna_trie_get(before, i);
    const LunaVerifyToken *theirs = luna_trie_get(other->tokens, i);
    if (ours == NULL || theirs == NULL || ours->status == theirs->status)
      continue;
    if (ours->status != LUNA_VERIFY_TOKEN_NONE &&
        theirs->status != LUNA_VERIFY_TOKEN_NONE) {
      *conflict = ours->status == LUNA_VERIFY_TOKEN_SPENT ? *ours : *theirs;
      return false;
    }
    if (ours->status == LUNA_VERIFY_TOKEN_NONE)
      luna_verify_state_add_token(states, state, *theirs);
  }
  return true;
}

// Joins a slot; both sides of an scf.if are kept, too.
static void join_slot(const LunaVerifyStates *states, LunaVerifySlot *ours,
                      const LunaVerifySlot *theirs,
                      const LunaVerifyDecision *branch) {
  const LunaVerifySplit *split = NULL;
  bool is_same = ours->cover == theirs->cover && ours->split == theirs->split;
  if (is_same)
    split = ours->split;
  else if (branch != NULL && branch->region == 1 &&
           luna_op_is(branch->op, LUNA_OP_SCF_IF))
    split = luna_verify_slot_split(
        states->arena, mlirOperationGetOperand(branch->op, 0), ours, theirs);
  luna_verify_slot_meet(states->arena, ours, theirs, branch);
  ours->split = split;
}

void luna_verify_state_assume(const LunaVerifyStates *states,
                              LunaVerifyState *state, MlirValue condition,
                              intptr_t side) {
  const LunaTrie splits = state->splits;
  for (uint32_t i = 0; luna_trie_next(splits, &i); ++i) {
    LunaVerifySlot slot = luna_verify_state_slot(state, i);
    if (luna_verify_slot_assume(states->arena, &slot, condition, side))
      luna_verify_state_set_slot(states, state, i, slot);
  }
}

bool luna_verify_state_join(const LunaVerifyStates *states,
                            LunaVerifyState *state,
                            const LunaVerifyState *other,
                            const LunaVerifyDecision *branch,
                            LunaVerifyToken *conflict) {
  const LunaTrie before = state->slots;
  for (uint32_t i = 0; luna_trie_next_difference(before, other->slots, &i);
       ++i) {
    LunaVerifySlot ours = luna_verify_state_slot(state, i);
    LunaVerifySlot theirs = luna_verify_state_slot(other, i);
    join_slot(states, &ours, &theirs, branch);
    luna_verify_state_set_slot(states, state, i, ours);
  }
  for (uint32_t i = 0; i < other->transfers.count; ++i) {
    LunaVerifyTransfer *known =
        find_transfer(state, &other->transfers.items[i]);
    if (known == NULL)
      luna_verify_state_add_transfer(states, state, other->transfers.items[i]);
    else if (known->path != other->transfers.items[i].path)
      known->path = NULL;
  }
  return join_tokens(states, state, other, conflict);
}

void luna_verify_state_credit(const LunaVerifyStates *states,
                              LunaVerifyState *state,
                              const LunaVerifyState *back) {
  const LunaTrie before = state->slots;
  for (uint32_t i = 0; luna_trie_next_difference(before, back->slots, &i);
       ++i) {
    LunaVerifySlot slot = luna_verify_state_slot(state, i);
    const Cover *other = luna_verify_state_slot(back, i).cover;
    if (slot.cover == NULL || other == NULL || slot.cover == other ||
        place_of(states, i)->is_staging)
      continue;
    slot.cover = luna_verify_cover_credit(states->arena, slot.cover, other);
    luna_verify_state_set_slot(states, state, i, slot);
  }
}

static void resume_tokens(const LunaVerifyStates *states,
                          LunaVerifyState *state, const LunaVerifyState *entry,
                          const LunaVerifyState *head) {
  for (uint32_t i = 0;
       luna_trie_next_difference(entry->tokens, head->tokens, &i); ++i) {
    const LunaVerifyToken *ours = luna_trie_get(state->tokens, i);
    const LunaVerifyToken *theirs = luna_trie_get(head->tokens, i);
    if (ours != NULL && ours->status == LUNA_VERIFY_TOKEN_NONE &&
        theirs != NULL)
      luna_verify_state_add_token(states, state, *theirs);
  }
}

void luna_verify_state_resume(const LunaVerifyStates *states,
                              LunaVerifyState *state,
                              const LunaVerifyState *entry,
                              const LunaVerifyState *head) {
  for (uint32_t i = 0; luna_trie_next_difference(entry->slots, head->slots, &i);
       ++i) {
    LunaVerifySlot ours = luna_verify_state_slot(state, i);
    LunaVerifySlot theirs = luna_verify_state_slot(head, i);
    join_slot(states, &ours, &theirs, NULL);
    luna_verify_state_set_slot(states, state, i, ours);
  }
  for (uint32_t i = 0; i < head->transfers.count; ++i) {
    const LunaVerifyTransfer *transfer = &head->transfers.items[i];
    if (!find_transfer(entry, transfer) && !find_transfer(state, transfer))
      luna_verify_state_add_transfer(states, state, *transfer);
  }
  resume_tokens(states, state, entry, head);
}

static bool has_equal_slots(const LunaVerifyState *a,
                            const LunaVerifyState *b) {
  for (uint32_t i = 0; luna_trie_next_difference(a->slots, b->slots, &i); ++i) {
    LunaVerifySlot x = luna_verify_state_slot(a, i);
    LunaVerifySlot y = luna_verify_state_slot(b, i);
    if (x.is_stale != y.is_stale || x.split != y.split || x.twin != y.twin ||
        !luna_verify_cover_equal(x.cover, y.cover))
      return false;
  }
  return true;
}

static bool has_equal_tokens(const LunaVerifyState *a,
                             const LunaVerifyState *b) {
  for (uint32_t i = 0; luna_trie_next_difference(a->tokens, b->tokens, &i);
       ++i) {
    const LunaVerifyToken *x = luna_trie_get(a->tokens, i);
    const LunaVerifyToken *y = luna_trie_get(b->tokens, i);
    if (x != NULL && y != NULL && x->status != y->status)
      return false;
  }
  return true;
}

bool luna_verify_state_equal(const LunaVerifyState *a,
                             const LunaVerifyState *b) {
  if (!has_equal_slots(a, b) || a->transfers.count != b->transfers.count)
    return false;
  for (uint32_t i = 0; i < a->transfers.count; ++i)
    if (find_transfer(b, &a->transfers.items[i]) == NULL)
      return false;
  return has_equal_tokens(a, b);
}

//===----------------------------------------------------------------------===//
// Allocating, writing, reading
//===----------------------------------------------------------------------===//

// The slots of the place of `slot`, ranks [first, end): neighbours.
static void ranks_of_place(const LunaVerifyStates *states, uint32_t slot,
                           uint32_t *first, uint32_t *end) {
  const LunaVerifyRanks *ranks = states->ranks;
  const uint32_t *places = states->values->slot_place;
  *first = *end = ranks->ranks[slot];
  while (*first > 0 && places[ranks->slots[*first - 1]] == places[slot])
    --*first;
  while (*end < ranks->count && places[ranks->slots[*end]] == places[slot])
    ++*end;
}

void luna_verify_state_allocate(const LunaVerifyStates *states,
                                LunaVerifyState *state, uint32_t slot) {
  uint32_t first, end;
  ranks_of_place(states, slot, &first, &end);
  for (uint32_t rank = first; rank < end; ++rank) {
    uint32_t other = states->ranks->slots[rank];
    LunaVerifySlot stale = luna_verify_state_slot(state, other);
    stale.is_stale = true;
    if (stale.cover != NULL)
      luna_verify_state_set_slot(states, state, other, stale);
  }
  int64_t bytes = place_of(states, slot)->bytes;
  luna_verify_state_set_slot(
      states, state, slot,
      (LunaVerifySlot){.cover = luna_verify_cover_new(states->arena, bytes)});
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

// What may be read is lost, on either side of a condition, too.
static void clobber(const LunaVerifyStates *states, LunaVerifyState *state,
                    uint32_t index, int64_t lo, int64_t hi, MlirOperation op) {
  LunaVerifySlot slot = luna_verify_state_slot(state, index);
  if (!luna_verify_slot_is_readable(&slot, lo, hi))
    return;
  slot.cover = luna_verify_cover_clobber(states->arena, slot.cover, lo, hi, op);
  slot.split = NULL;
  luna_verify_state_set_slot(states, state, index, slot);
}

// What others lose where bytes of `extent` are written.
static void clobber_others(const LunaVerifyStates *states,
                           LunaVerifyState *state,
                           const LunaVerifyExtent *extent, bool is_stale,
                           MlirOperation op) {
  const LunaVerifyValues *values = states->values;
  uint32_t tag = values->slot_tag[extent->slot];
  int64_t base = values->places.items[extent->place].offset_bytes;
  const LunaTrie readable = state->readable;
  for (uint32_t size_class = 0; size_class < 64; ++size_class)
    for (uint32_t rank = 0;
         luna_verify_next_overlap(states, readable, size_class,
                                  base + extent->lo, base + extent->hi, &rank);
         ++rank) {
      uint32_t i = states->ranks->slots[rank];
      int64_t lo, hi;
      bool is_shared = values->slot_place[i] == extent->place &&
                       luna_verify_state_slot(state, i).is_stale == is_stale;
      if (!is_shared && values->slot_tag[i] != tag &&
          !luna_verify_values_apart(values, tag, values->slot_tag[i]) &&
          translate(values, extent, values->slot_place[i], &lo, &hi))
        clobber(states, state, i, lo, hi, op);
    }
}

// The slot of the value that a select is, and so on.
static uint32_t original(const LunaVerifyState *state, uint32_t slot) {
  uint32_t twin = luna_verify_state_slot(state, slot).twin;
  for (; twin > 0; twin = luna_verify_state_slot(state, slot).twin)
    slot = twin - 1;
  return slot;
}

// Writes the bytes of one home; `is_only` says that the tag has no other.
static void write_home(const LunaVerifyStates *states, LunaVerifyState *state,
                       const LunaVerifyExtent *extent, bool is_only,
                       const LunaVerifyWrite *write) {
  bool is_stale = luna_verify_state_slot(state, extent->slot).is_stale;
  uint32_t first, end, written = original(state, extent->slot);
  clobber_others(states, state, extent, is_stale, write->op);
  ranks_of_place(states, extent->slot, &first, &end);
  for (uint32_t rank = first; rank < end; ++rank) {
    uint32_t i = states->ranks->slots[rank];
    LunaVerifySlot slot = luna_verify_state_slot(state, i);
    bool is_same =
        original(state, i) == written || (is_only && slot.is_stale == is_stale);
    if (slot.cover == NULL || !is_same)
      continue;
    write_own(states, &slot, extent, write);
    luna_verify_state_set_slot(states, state, i, slot);
  }
}

void luna_verify_state_write(const LunaVerifyStates *states,
                             LunaVerifyState *state, const LunaVerifyRef *ref,
                             const LunaVerifyWrite *write) {
  uint32_t home_count = states->values->tags.items[ref->tag].homes.count;
  for (uint32_t h = 0; h < home_count; ++h) {
    LunaVerifyExtent extent = luna_verify_values_extent(states->values, ref, h);
    if (is_arena_slot(states, extent.slot) &&
        luna_verify_state_slot(state, extent.slot).cover != NULL)
      write_home(states, state, &extent, home_count == 1, write);
  }
}

const LunaVerifySegment *
luna_verify_state_unreadable(const LunaVerifyState *state,
                             const LunaVerifyExtent *extent) {
  const Cover *cover = luna_verify_state_slot(state, extent->slot).cover;
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
  const Cover *cover = luna_verify_state_slot(state, extent->slot).cover;
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
