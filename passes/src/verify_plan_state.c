// Contents of slots: the lattice of luna-verify-plan and its transfer
// functions. Covers are immutable and shared between states.

#include "verify_plan_state.h"

#include "luna-c/ir_util.h"

typedef LunaVerifyCover Cover;
typedef LunaVerifySegment Segment;

//===----------------------------------------------------------------------===//
// Covers
//===----------------------------------------------------------------------===//

static Cover *new_cover(const LunaVerifyStates *states, uint32_t capacity) {
  return luna_arena_alloc(states->arena, 1,
                          sizeof(Cover) + capacity * sizeof(Segment));
}

static bool same_holding(const Segment *a, const Segment *b) {
  return a->hold == b->hold && a->content == b->content;
}

// Adds a segment at the end, growing the last one where it holds the same.
static void push(Cover *cover, Segment segment) {
  if (segment.lo >= segment.hi)
    return;
  Segment *last = cover->count > 0 ? &cover->segments[cover->count - 1] : NULL;
  if (last != NULL && last->hi == segment.lo && same_holding(last, &segment))
    last->hi = segment.hi;
  else
    cover->segments[cover->count++] = segment;
}

static const Cover *whole(const LunaVerifyStates *states, int64_t bytes,
                          LunaVerifyHold hold) {
  Cover *cover = new_cover(states, 1);
  push(cover,
       (Segment){.hi = bytes, .hold = hold, .content = LUNA_VERIFY_COMPUTED});
  return cover;
}

// Gives `old` with `change` applied to the part of each segment in [lo, hi).
static const Cover *
change_range(const LunaVerifyStates *states, const Cover *old, int64_t lo,
             int64_t hi, Segment (*change)(Segment segment, const Segment *by),
             const Segment *by) {
  Cover *cover = new_cover(states, 3 * old->count);
  for (uint32_t i = 0; i < old->count; ++i) {
    Segment before = old->segments[i], inside = before, after = before;
    before.hi = before.hi < lo ? before.hi : lo;
    after.lo = after.lo > hi ? after.lo : hi;
    inside.lo = inside.lo > lo ? inside.lo : lo;
    inside.hi = inside.hi < hi ? inside.hi : hi;
    push(cover, before);
    if (inside.lo < inside.hi)
      push(cover, change(inside, by));
    push(cover, after);
  }
  return cover;
}

static Segment to_written(Segment segment, const Segment *by) {
  return (Segment){.lo = segment.lo, .hi = segment.hi, .content = by->content};
}

// A write that may leave bytes out makes up for what nothing has written yet,
// but not for what was lost.
static Segment to_touched(Segment segment, const Segment *by) {
  if (segment.hold != LUNA_VERIFY_UNWRITTEN)
    return segment;
  segment.content = by->content;
  segment.hold = LUNA_VERIFY_WRITTEN;
  segment.branch = (LunaVerifyDecision){{NULL}, 0, NULL};
  return segment;
}

static Segment to_clobbered(Segment segment, const Segment *by) {
  if (segment.hold != LUNA_VERIFY_WRITTEN)
    return segment;
  segment.hold = LUNA_VERIFY_CLOBBERED;
  segment.content = LUNA_VERIFY_COMPUTED;
  segment.cause = by->cause;
  return segment;
}

// The worse of two segments over the same bytes; `branch` leads to `b`.
static Segment meet(Segment a, const Segment *b,
                    const LunaVerifyDecision *branch) {
  Segment worse = b->hold > a.hold ? *b : a;
  worse.lo = a.lo;
  worse.hi = a.hi;
  if (a.hold == b->hold && a.content != b->content)
    worse.content = LUNA_VERIFY_MIXED;
  if (worse.hold == LUNA_VERIFY_UNWRITTEN && b->hold > a.hold &&
      worse.branch.op.ptr == NULL && branch != NULL)
    worse.branch = *branch;
  return worse;
}

static const Cover *meet_covers(const LunaVerifyStates *states, const Cover *a,
                                const Cover *b,
                                const LunaVerifyDecision *branch) {
  if (a == b || b == NULL)
    return a;
  if (a == NULL)
    return b;
  Cover *cover = new_cover(states, a->count + b->count);
  for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
    const Segment *p = &a->segments[i], *q = &b->segments[j];
    Segment part = *p;
    part.lo = p->lo > q->lo ? p->lo : q->lo;
    part.hi = p->hi < q->hi ? p->hi : q->hi;
    push(cover, meet(part, q, branch));
    i += p->hi <= q->hi;
    j += q->hi <= p->hi;
  }
  return cover;
}

static bool equal_covers(const Cover *a, const Cover *b) {
  if (a == b)
    return true;
  if (a == NULL || b == NULL || a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->segments[i].hi != b->segments[i].hi ||
        !same_holding(&a->segments[i], &b->segments[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static bool is_arena_slot(const LunaVerifyStates *states, uint32_t slot) {
  return states->values->places[states->values->slot_place[slot]].is_planned;
}

LunaVerifyState luna_verify_state_entry(const LunaVerifyStates *states) {
  return (LunaVerifyState){
      .slots = LUNA_ARENA_ARRAY(states->arena, LunaVerifySlot,
                                states->values->slot_count),
  };
}

static void *copy_of(const LunaVerifyStates *states, const void *items,
                     uint32_t count, uint32_t capacity, size_t bytes) {
  return luna_arena_grow(states->arena, items, count, capacity, bytes);
}

LunaVerifyState luna_verify_state_clone(const LunaVerifyStates *states,
                                        const LunaVerifyState *state) {
  uint32_t slot_count = states->values->slot_count;
  LunaVerifyState clone = *state;
  clone.slots = copy_of(states, state->slots, slot_count, slot_count,
                        sizeof *clone.slots);
  clone.transfers = copy_of(states, state->transfers, state->transfer_count,
                            state->transfer_capacity, sizeof *clone.transfers);
  clone.tokens = copy_of(states, state->tokens, state->token_count,
                         state->token_capacity, sizeof *clone.tokens);
  return clone;
}

static bool same_transfer(const LunaVerifyTransfer *a,
                          const LunaVerifyTransfer *b) {
  return a->token.ptr == b->token.ptr && a->start.ptr == b->start.ptr;
}

static LunaVerifyTransfer *find_transfer(const LunaVerifyState *state,
                                         const LunaVerifyTransfer *transfer) {
  for (uint32_t i = 0; i < state->transfer_count; ++i)
    if (same_transfer(&state->transfers[i], transfer))
      return &state->transfers[i];
  return NULL;
}

// Tokens spent on both sides or none; one that is none of a transfer on one
// side follows the other.
static bool join_tokens(LunaVerifyState *state, const LunaVerifyState *other,
                        LunaVerifyToken *conflict) {
  for (uint32_t i = 0; i < other->token_count; ++i) {
    const LunaVerifyToken *theirs = &other->tokens[i];
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
      !luna_op_is(branch->op, "scf.if"))
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
  ours->cover = meet_covers(states, ours->cover, theirs->cover, branch);
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
  for (uint32_t i = 0; i < other->transfer_count; ++i) {
    LunaVerifyTransfer *known = find_transfer(state, &other->transfers[i]);
    if (known == NULL)
      luna_verify_state_add_transfer(states, state, other->transfers[i]);
    else if (known->path != other->transfers[i].path)
      known->path = NULL;
  }
  return join_tokens(state, other, conflict);
}

bool luna_verify_state_equal(const LunaVerifyStates *states,
                             const LunaVerifyState *a,
                             const LunaVerifyState *b) {
  for (uint32_t i = 0; i < states->values->slot_count; ++i)
    if (a->slots[i].is_stale != b->slots[i].is_stale ||
        a->slots[i].split != b->slots[i].split ||
        !equal_covers(a->slots[i].cover, b->slots[i].cover))
      return false;
  if (a->transfer_count != b->transfer_count)
    return false;
  for (uint32_t i = 0; i < a->transfer_count; ++i)
    if (find_transfer(b, &a->transfers[i]) == NULL)
      return false;
  for (uint32_t i = 0; i < a->token_count; ++i)
    for (uint32_t j = 0; j < b->token_count; ++j)
      if (a->tokens[i].value.ptr == b->tokens[j].value.ptr &&
          a->tokens[i].status != b->tokens[j].status)
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
  int64_t bytes = values->places[values->slot_place[slot]].bytes;
  state->slots[slot] = (LunaVerifySlot){
      .cover = whole(states, bytes, LUNA_VERIFY_UNWRITTEN),
  };
}

// The bytes of another place that those of `extent` coincide with.
static bool translate(const LunaVerifyValues *values,
                      const LunaVerifyExtent *extent, uint32_t place,
                      int64_t *lo, int64_t *hi) {
  int64_t shift = values->places[extent->place].offset_bytes -
                  values->places[place].offset_bytes;
  *lo = extent->lo + shift;
  *hi = extent->hi + shift;
  return *lo < values->places[place].bytes && *hi > 0 && *lo < *hi;
}

// Writes through one home into the tag's own slot or one that shares it. A
// tensor written in part counts as written: programs do copy buffers of which
// a part is still to come. Staging buffers are filled exactly.
static void write_own(const LunaVerifyStates *states, LunaVerifySlot *slot,
                      const LunaVerifyExtent *extent, const Segment *by,
                      bool is_whole) {
  bool is_staging = states->values->places[extent->place].is_staging;
  slot->split = NULL;
  bool is_precise = is_whole && extent->is_exact && extent->is_dense;
  if (is_precise)
    slot->cover = change_range(states, slot->cover, extent->lo, extent->hi,
                               to_written, by);
  if (!is_precise || !is_staging)
    slot->cover =
        change_range(states, slot->cover, 0, extent->bytes, to_touched, by);
}

static void clobber(const LunaVerifyStates *states, LunaVerifySlot *slot,
                    int64_t lo, int64_t hi, const Segment *by) {
  const Cover *old = slot->cover;
  slot->cover = change_range(states, old, lo, hi, to_clobbered, by);
  if (!equal_covers(old, slot->cover))
    slot->split = NULL;
}

void luna_verify_state_write(const LunaVerifyStates *states,
                             LunaVerifyState *state, const LunaVerifyRef *ref,
                             MlirOperation op, int64_t content, bool is_whole) {
  const LunaVerifyValues *values = states->values;
  uint32_t home_count = values->tags[ref->tag].home_count;
  Segment by = {.content = content, .cause = op};
  for (uint32_t h = 0; h < home_count; ++h) {
    LunaVerifyExtent extent = luna_verify_values_extent(values, ref, h);
    if (!is_arena_slot(states, extent.slot) ||
        state->slots[extent.slot].cover == NULL)
      continue;
    for (uint32_t i = 0; i < values->slot_count; ++i) {
      LunaVerifySlot *slot = &state->slots[i];
      int64_t lo, hi;
      if (slot->cover == NULL)
        continue;
      bool is_shared = values->slot_place[i] == extent.place &&
                       slot->is_stale == state->slots[extent.slot].is_stale;
      if (i == extent.slot || (is_shared && home_count == 1))
        write_own(states, slot, &extent, &by, is_whole);
      else if (!is_shared && values->slot_tag[i] != ref->tag &&
               is_arena_slot(states, i) &&
               translate(values, &extent, values->slot_place[i], &lo, &hi))
        clobber(states, slot, lo, hi, &by);
    }
  }
}

const LunaVerifySegment *
luna_verify_state_unreadable(const LunaVerifyState *state,
                             const LunaVerifyExtent *extent) {
  const Cover *cover = state->slots[extent->slot].cover;
  for (uint32_t i = 0; cover != NULL && i < cover->count; ++i) {
    const Segment *segment = &cover->segments[i];
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
    const Segment *segment = &cover->segments[i];
    if (segment->lo >= extent->hi || segment->hi <= extent->lo)
      continue;
    if (!is_first && segment->content != content)
      return LUNA_VERIFY_MIXED;
    content = segment->content;
    is_first = false;
  }
  return content;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

// The slot of the tag of `from` in `place`, or an empty one.
static LunaVerifySlot slot_in(const LunaVerifyStates *states,
                              const LunaVerifyState *state, MlirValue from,
                              uint32_t place) {
  LunaVerifyRef ref;
  if (!luna_verify_values_ref(states->values, from, &ref))
    return (LunaVerifySlot){0};
  const LunaVerifyTag *tag = &states->values->tags[ref.tag];
  for (uint32_t h = 0; h < tag->home_count; ++h)
    if (tag->homes[h].place == place)
      return state->slots[tag->first_slot + h];
  return (LunaVerifySlot){0};
}

// What a slot holds where `condition` is true (side 0) or false (side 1).
static const Cover *cover_on(const LunaVerifySlot *slot, MlirValue condition,
                             intptr_t side) {
  if (slot->split == NULL || slot->split->condition.ptr != condition.ptr)
    return slot->cover;
  return slot->split->covers[side];
}

// One home of a merged value: its sources that may lie there.
static LunaVerifySlot merge_slots(const LunaVerifyStates *states,
                                  const LunaVerifySlot *slots, intptr_t count,
                                  MlirValue condition) {
  LunaVerifySlot merged = {0};
  bool is_select = condition.ptr != NULL && count == 2;
  LunaVerifySplit *split = LUNA_ARENA_ARRAY(states->arena, LunaVerifySplit, 1);
  split->condition = condition;
  for (intptr_t i = 0; i < count; ++i) {
    const Cover *cover =
        is_select ? cover_on(&slots[i], condition, i) : slots[i].cover;
    merged.cover = meet_covers(states, merged.cover, cover, NULL);
    merged.is_stale |= cover != NULL && slots[i].is_stale;
    if (is_select)
      split->covers[i] = cover;
  }
  if (is_select && split->covers[0] != split->covers[1])
    merged.split = split;
  return merged;
}

void luna_verify_state_merge(const LunaVerifyStates *states,
                             LunaVerifyState *state, const MlirValue *sources,
                             intptr_t count, MlirValue result,
                             MlirValue condition) {
  LunaVerifyRef ref, first;
  if (!luna_verify_values_ref(states->values, result, &ref) ||
      !luna_verify_values_ref(states->values, sources[0], &first) ||
      ref.tag == first.tag)
    return;
  const LunaVerifyTag *tag = &states->values->tags[ref.tag];
  LunaVerifySlot *slots =
      LUNA_ARENA_ARRAY(states->arena, LunaVerifySlot, count);
  for (uint32_t h = 0; h < tag->home_count; ++h) {
    for (intptr_t i = 0; i < count; ++i)
      slots[i] = slot_in(states, state, sources[i], tag->homes[h].place);
    state->slots[tag->first_slot + h] =
        merge_slots(states, slots, count, condition);
  }
}

static void follow_contents(const LunaVerifyStates *states,
                            LunaVerifyState *state,
                            const LunaVerifyEdge *edge) {
  const LunaVerifyValues *values = states->values;
  LunaVerifyState before = luna_verify_state_clone(states, state);
  for (intptr_t i = 0; i < edge->count; ++i) {
    LunaVerifyRef source, target;
    if (!luna_verify_values_ref(values, edge->from[i], &source) ||
        !luna_verify_values_ref(values, edge->to[i], &target) ||
        source.tag == target.tag)
      continue;
    const LunaVerifyTag *tag = &values->tags[target.tag];
    for (uint32_t h = 0; h < tag->home_count; ++h)
      state->slots[tag->first_slot + h] =
          slot_in(states, &before, edge->from[i], tag->homes[h].place);
  }
}

// Spends the tokens handed on, which `moved` gets; false for one spent before.
static bool spend_tokens(LunaVerifyState *state, const LunaVerifyEdge *edge,
                         LunaVerifyToken *moved, LunaVerifyToken *fault) {
  for (intptr_t i = 0; i < edge->count; ++i) {
    LunaVerifyToken *token = luna_verify_state_token(state, edge->from[i]);
    if (token == NULL)
      continue;
    moved[i] = *token;
    if (token->status == LUNA_VERIFY_TOKEN_SPENT) {
      *fault = *token;
      return false;
    }
    if (token->status == LUNA_VERIFY_TOKEN_HELD) {
      token->status = LUNA_VERIFY_TOKEN_SPENT;
      token->spent_by = edge->op;
    }
  }
  return true;
}

// Gives the transfers of the tokens handed on to their new owners.
static void move_transfers(const LunaVerifyStates *states,
                           LunaVerifyState *state, const LunaVerifyEdge *edge) {
  LunaVerifyState before = luna_verify_state_clone(states, state);
  for (uint32_t t = 0; t < state->transfer_count; ++t)
    for (intptr_t i = 0; i < edge->count; ++i)
      if (before.transfers[t].token.ptr == edge->from[i].ptr)
        state->transfers[t].token = edge->to[i];
}

LunaVerifyEdgeResult luna_verify_state_follow(const LunaVerifyStates *states,
                                              LunaVerifyState *state,
                                              const LunaVerifyEdge *edge,
                                              LunaVerifyToken *token) {
  if (edge->count > 0)
    follow_contents(states, state, edge);
  LunaVerifyToken *moved =
      LUNA_ARENA_ARRAY(states->arena, LunaVerifyToken, edge->count);
  if (!spend_tokens(state, edge, moved, token))
    return LUNA_VERIFY_EDGE_SPENT;
  if (edge->leaves.ptr != NULL &&
      !luna_verify_state_close(state, edge->leaves, token))
    return LUNA_VERIFY_EDGE_HELD;
  if (state->transfer_count > 0 && edge->count > 0)
    move_transfers(states, state, edge);
  for (intptr_t i = 0; i < edge->count; ++i) {
    if (moved[i].value.ptr == NULL)
      continue;
    moved[i].value = edge->to[i];
    moved[i].block = edge->enters;
    luna_verify_state_add_token(states, state, moved[i]);
  }
  return LUNA_VERIFY_EDGE_OK;
}
