// The flow of contents and tokens from value to value: at selects, and along
// control-flow edges.

#include "verify_plan_state.h"

// Returns the slot of the tag of `from` in `place`, or an empty one. As its own
// twin it is what another value is that takes its contents.
static LunaVerifySlot slot_in(const LunaVerifyStates *states,
                              const LunaVerifyState *state, MlirValue from,
                              uint32_t place) {
  LunaVerifyRef ref;
  if (!luna_verify_values_ref(states->values, from, &ref))
    return (LunaVerifySlot){0};
  const LunaVerifyTag *tag = &states->values->tags.items[ref.tag];
  for (uint32_t h = 0; h < tag->homes.count; ++h)
    if (tag->homes.items[h].place == place) {
      LunaVerifySlot slot = luna_verify_state_slot(state, tag->first_slot + h);
      slot.twin = tag->first_slot + h + 1;
      return slot;
    }
  return (LunaVerifySlot){0};
}

// A home of a merged value, and its sources that may be there.
static LunaVerifySlot merge_slots(const LunaVerifyStates *states,
                                  LunaVerifySlot *slots, intptr_t count,
                                  MlirValue condition) {
  LunaVerifySlot merged = {0};
  bool is_select = condition.ptr != NULL && count == 2;
  for (intptr_t i = 0; i < count; ++i) {
    uint32_t twin = slots[i].twin;
    if (is_select)
      luna_verify_slot_assume(states->arena, &slots[i], condition, i);
    slots[i].twin = twin;
    luna_verify_slot_meet(states->arena, &merged, &slots[i], NULL);
  }
  merged.twin = 0;
  if (is_select)
    merged.split =
        luna_verify_slot_split(states->arena, condition, &slots[0], &slots[1]);
  return merged;
}

void luna_verify_state_merge(const LunaVerifyStates *states,
                             LunaVerifyState *state,
                             const LunaVerifyMerge *merge) {
  LunaVerifyRef ref, first;
  if (!luna_verify_values_ref(states->values, merge->result, &ref) ||
      !luna_verify_values_ref(states->values, merge->sources[0], &first) ||
      ref.tag == first.tag)
    return;
  const LunaVerifyTag *tag = &states->values->tags.items[ref.tag];
  LunaVerifySlot *slots =
      LUNA_ARENA_ARRAY(states->arena, LunaVerifySlot, merge->count);
  for (uint32_t h = 0; h < tag->homes.count; ++h) {
    for (intptr_t i = 0; i < merge->count; ++i)
      slots[i] =
          slot_in(states, state, merge->sources[i], tag->homes.items[h].place);
    luna_verify_state_set_slot(
        states, state, tag->first_slot + h,
        merge_slots(states, slots, merge->count, merge->condition));
  }
}

static void follow_contents(const LunaVerifyStates *states,
                            LunaVerifyState *state,
                            const LunaVerifyEdge *edge) {
  const LunaVerifyValues *values = states->values;
  const LunaVerifyState before = *state;
  for (intptr_t i = 0; i < edge->count; ++i) {
    LunaVerifyRef source, target;
    if (!luna_verify_values_ref(values, edge->from[i], &source) ||
        !luna_verify_values_ref(values, edge->to[i], &target) ||
        source.tag == target.tag)
      continue;
    const LunaVerifyTag *tag = &values->tags.items[target.tag];
    for (uint32_t h = 0; h < tag->homes.count; ++h) {
      LunaVerifySlot slot =
          slot_in(states, &before, edge->from[i], tag->homes.items[h].place);
      slot.twin = 0; // the source may get another value before this one does
      luna_verify_state_set_slot(states, state, tag->first_slot + h, slot);
    }
  }
}

// Consumes the forwarded tokens and writes them to `moved`. Returns false if
// one was consumed before.
static bool spend_tokens(const LunaVerifyStates *states, LunaVerifyState *state,
                         const LunaVerifyEdge *edge, LunaVerifyToken *moved,
                         LunaVerifyToken *fault) {
  for (intptr_t i = 0; i < edge->count; ++i) {
    const LunaVerifyToken *token =
        luna_verify_state_token(states, state, edge->from[i]);
    if (token == NULL)
      continue;
    moved[i] = *token;
    if (token->status == LUNA_VERIFY_TOKEN_SPENT) {
      *fault = *token;
      return false;
    }
    if (token->status == LUNA_VERIFY_TOKEN_HELD)
      luna_verify_state_spend_token(states, state, *token, edge->op);
  }
  return true;
}

// Moves the transfers of the forwarded tokens to their new owners.
static void move_transfers(LunaVerifyState *state, const LunaVerifyEdge *edge) {
  for (uint32_t t = 0; t < state->transfers.count; ++t) {
    MlirValue owner = state->transfers.items[t].token;
    for (intptr_t i = 0; i < edge->count; ++i)
      if (owner.ptr == edge->from[i].ptr)
        state->transfers.items[t].token = edge->to[i];
  }
}

LunaVerifyEdgeResult luna_verify_state_follow(const LunaVerifyStates *states,
                                              LunaVerifyState *state,
                                              const LunaVerifyEdge *edge,
                                              LunaVerifyToken *token) {
  if (edge->count > 0)
    follow_contents(states, state, edge);
  LunaVerifyToken *moved =
      LUNA_ARENA_ARRAY(states->arena, LunaVerifyToken, edge->count);
  if (!spend_tokens(states, state, edge, moved, token))
    return LUNA_VERIFY_EDGE_SPENT;
  if (edge->leaves.ptr != NULL &&
      !luna_verify_state_close(state, edge->leaves, token))
    return LUNA_VERIFY_EDGE_HELD;
  move_transfers(state, edge);
  for (intptr_t i = 0; i < edge->count; ++i) {
    if (moved[i].value.ptr == NULL)
      continue;
    moved[i].value = edge->to[i];
    moved[i].block = edge->enters;
    luna_verify_state_add_token(states, state, moved[i]);
  }
  return LUNA_VERIFY_EDGE_OK;
}
