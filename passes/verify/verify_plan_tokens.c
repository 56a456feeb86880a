// Tokens and transfers in flight of a luna-verify-plan state.

#include "verify_plan_state.h"

const LunaVerifyToken *luna_verify_state_token(const LunaVerifyStates *states,
                                               const LunaVerifyState *state,
                                               MlirValue value) {
  uint32_t number = luna_map_find(states->tokens, luna_map_pointer(value.ptr));
  return number == LUNA_MAP_ABSENT ? NULL
                                   : luna_trie_get(state->tokens, number);
}

void luna_verify_state_add_token(const LunaVerifyStates *states,
                                 LunaVerifyState *state,
                                 LunaVerifyToken token) {
  uint32_t number = luna_map_add(states->tokens, states->arena,
                                 luna_map_pointer(token.value.ptr));
  LunaVerifyToken *copy = LUNA_ARENA_ARRAY(states->arena, LunaVerifyToken, 1);
  *copy = token;
  bool is_held = token.status == LUNA_VERIFY_TOKEN_HELD;
  luna_trie_set(states->arena, &state->tokens, number, copy);
  luna_trie_set(states->arena, &state->held, number, is_held ? copy : NULL);
}

void luna_verify_state_spend_token(const LunaVerifyStates *states,
                                   LunaVerifyState *state,
                                   LunaVerifyToken token,
                                   MlirOperation spent_by) {
  token.status = LUNA_VERIFY_TOKEN_SPENT;
  token.spent_by = spent_by;
  luna_verify_state_add_token(states, state, token);
}

bool luna_verify_state_close(const LunaVerifyState *state, MlirBlock block,
                             LunaVerifyToken *held) {
  for (uint32_t i = 0; luna_trie_next(state->held, &i); ++i) {
    const LunaVerifyToken *token = luna_trie_get(state->held, i);
    if (token->block.ptr != block.ptr)
      continue;
    *held = *token;
    return false;
  }
  return true;
}

void luna_verify_state_add_transfer(const LunaVerifyStates *states,
                                    LunaVerifyState *state,
                                    LunaVerifyTransfer transfer) {
  *LUNA_VECTOR_ADD(states->arena, &state->transfers) = transfer;
}

void luna_verify_state_end_transfers(LunaVerifyState *state, MlirValue token) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < state->transfers.count; ++i)
    if (state->transfers.items[i].token.ptr != token.ptr)
      state->transfers.items[kept++] = state->transfers.items[i];
  state->transfers.count = kept;
}

static bool is_new(const LunaVerifyState *before,
                   const LunaVerifyTransfer *transfer) {
  for (uint32_t i = 0; i < before->transfers.count; ++i)
    if (before->transfers.items[i].start.ptr == transfer->start.ptr &&
        before->transfers.items[i].token.ptr == transfer->token.ptr)
      return false;
  return true;
}

void luna_verify_state_mark_new(const LunaVerifyStates *states,
                                LunaVerifyState *state,
                                const LunaVerifyState *before,
                                const LunaVerifyDecision *decision) {
  for (uint32_t i = 0; i < state->transfers.count; ++i) {
    LunaVerifyTransfer *transfer = &state->transfers.items[i];
    if (!is_new(before, transfer))
      continue;
    LunaVerifyDecision *node =
        LUNA_ARENA_ARRAY(states->arena, LunaVerifyDecision, 1);
    *node = *decision;
    node->next = transfer->path;
    transfer->path = node;
  }
}

void luna_verify_state_forget_paths(LunaVerifyState *state) {
  for (uint32_t i = 0; i < state->transfers.count; ++i)
    state->transfers.items[i].path = NULL;
}

// Returns true if no path has both: one owner, or different decisions at one
// branch.
static bool exclude_each_other(const LunaVerifyTransfer *a,
                               const LunaVerifyTransfer *b) {
  if (a->token.ptr == b->token.ptr)
    return true;
  for (const LunaVerifyDecision *p = a->path; p != NULL; p = p->next)
    for (const LunaVerifyDecision *q = b->path; q != NULL; q = q->next)
      if (p->op.ptr == q->op.ptr && p->region != q->region)
        return true;
  return false;
}

// The largest number of transfers from `first` on that may be in flight
// together with those of the set `chosen`.
static uint32_t largest(const LunaVerifyState *state, uint32_t first,
                        uint32_t chosen) {
  uint32_t best = 0;
  for (uint32_t i = first; i < state->transfers.count; ++i) {
    bool fits = true;
    for (uint32_t j = 0; fits && j < i; ++j)
      if ((chosen >> j & 1) != 0)
        fits = !exclude_each_other(&state->transfers.items[i],
                                   &state->transfers.items[j]);
    if (!fits)
      continue;
    uint32_t count = 1 + largest(state, i + 1, chosen | UINT32_C(1) << i);
    best = count > best ? count : best;
  }
  return best;
}

uint32_t luna_verify_state_in_flight(const LunaVerifyState *state) {
  enum { SEARCHED_MAX = 16 };
  if (state->transfers.count > SEARCHED_MAX)
    return state->transfers.count;
  return largest(state, 0, 0);
}
