// Tokens and transfers in flight of a luna-verify-plan state.

#include "verify_plan_state.h"

LunaVerifyToken *luna_verify_state_token(LunaVerifyState *state,
                                         MlirValue value) {
  for (uint32_t i = 0; i < state->token_count; ++i)
    if (state->tokens[i].value.ptr == value.ptr)
      return &state->tokens[i];
  return NULL;
}

void luna_verify_state_add_token(const LunaVerifyStates *states,
                                 LunaVerifyState *state,
                                 LunaVerifyToken token) {
  LunaVerifyToken *known = luna_verify_state_token(state, token.value);
  if (known != NULL) {
    *known = token;
    return;
  }
  if (state->token_count == state->token_capacity) {
    uint32_t capacity = state->token_count == 0 ? 8 : 2 * state->token_count;
    state->tokens =
        luna_arena_grow(states->arena, state->tokens, state->token_count,
                        capacity, sizeof *state->tokens);
    state->token_capacity = capacity;
  }
  state->tokens[state->token_count++] = token;
}

bool luna_verify_state_close(LunaVerifyState *state, MlirBlock block,
                             LunaVerifyToken *held) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < state->token_count; ++i) {
    const LunaVerifyToken token = state->tokens[i];
    if (token.block.ptr != block.ptr) {
      state->tokens[kept++] = token;
    } else if (token.status == LUNA_VERIFY_TOKEN_HELD) {
      *held = token;
      return false;
    }
  }
  state->token_count = kept;
  return true;
}

void luna_verify_state_add_transfer(const LunaVerifyStates *states,
                                    LunaVerifyState *state,
                                    LunaVerifyTransfer transfer) {
  if (state->transfer_count == state->transfer_capacity) {
    uint32_t capacity =
        state->transfer_count == 0 ? 4 : 2 * state->transfer_count;
    state->transfers =
        luna_arena_grow(states->arena, state->transfers, state->transfer_count,
                        capacity, sizeof *state->transfers);
    state->transfer_capacity = capacity;
  }
  state->transfers[state->transfer_count++] = transfer;
}

void luna_verify_state_end_transfers(LunaVerifyState *state, MlirValue token) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < state->transfer_count; ++i)
    if (state->transfers[i].token.ptr != token.ptr)
      state->transfers[kept++] = state->transfers[i];
  state->transfer_count = kept;
}

static bool is_new(const LunaVerifyState *before,
                   const LunaVerifyTransfer *transfer) {
  for (uint32_t i = 0; i < before->transfer_count; ++i)
    if (before->transfers[i].start.ptr == transfer->start.ptr &&
        before->transfers[i].token.ptr == transfer->token.ptr)
      return false;
  return true;
}

void luna_verify_state_mark_new(const LunaVerifyStates *states,
                                LunaVerifyState *state,
                                const LunaVerifyState *before,
                                const LunaVerifyDecision *decision) {
  for (uint32_t i = 0; i < state->transfer_count; ++i) {
    LunaVerifyTransfer *transfer = &state->transfers[i];
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
  for (uint32_t i = 0; i < state->transfer_count; ++i)
    state->transfers[i].path = NULL;
}

// Whether no path has both: one owner, or different decisions at one branch.
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
  for (uint32_t i = first; i < state->transfer_count; ++i) {
    bool fits = true;
    for (uint32_t j = 0; fits && j < i; ++j)
      if ((chosen >> j & 1) != 0)
        fits = !exclude_each_other(&state->transfers[i], &state->transfers[j]);
    if (!fits)
      continue;
    uint32_t count = 1 + largest(state, i + 1, chosen | UINT32_C(1) << i);
    best = count > best ? count : best;
  }
  return best;
}

uint32_t luna_verify_state_in_flight(const LunaVerifyState *state) {
  enum { SEARCHED_MAX = 16 };
  if (state->transfer_count > SEARCHED_MAX)
    return state->transfer_count;
  return largest(state, 0, 0);
}
