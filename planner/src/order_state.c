#include "order_state.h"

#include <string.h>

// The longest chain that is looked for, and the operators looked at for one.
enum { CHAIN_LENGTH = 32, CHAIN_STEPS = 256 };

LunaOrderState luna_order_state_make(const LunaOrderIndex *index,
                                     LunaArena *arena) {
  uint32_t count = index->operator_count;
  LunaOrderState state = {
      .index = index,
      .word_count = (count + 63) / 64,
      .missing = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .unread = LUNA_ARENA_ARRAY(arena, uint32_t, index->value_count),
      .ready = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .ready_at = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .trail = LUNA_ARENA_ARRAY(arena, uint32_t, count),
  };
  state.done = LUNA_ARENA_ARRAY(arena, uint64_t, state.word_count);
  luna_order_state_load(&state, state.done);
  return state;
}

static void add_ready(LunaOrderState *state, uint32_t op) {
  state->ready_at[op] = state->ready_count;
  state->ready[state->ready_count++] = op;
}

static void remove_ready(LunaOrderState *state, uint32_t op) {
  uint32_t last = state->ready[--state->ready_count];
  state->ready[state->ready_at[op]] = last;
  state->ready_at[last] = state->ready_at[op];
}

// Takes back remove_ready; what was listed since is gone again.
static void restore_ready(LunaOrderState *state, uint32_t op) {
  uint32_t at = state->ready_at[op], end = state->ready_count++;
  state->ready[end] = state->ready[at];
  state->ready_at[state->ready[at]] = end;
  state->ready[at] = op;
  state->ready_at[op] = at;
}

static bool is_done(const LunaOrderState *state, uint32_t op) {
  return (state->done[op / 64] >> op % 64 & 1) != 0;
}

// Counts a finished operator; what becomes ready is not listed.
static void finish(LunaOrderState *state, uint32_t op) {
  const LunaOrderIndex *index = state->index;
  state->live_bytes += index->made_bytes[op];
  ++state->done_count;
  for (uint32_t i = index->reads.starts[op]; i < index->reads.starts[op + 1];
       ++i)
    if (--state->unread[index->reads.items[i]] == 0)
      state->live_bytes -= index->values[index->reads.items[i]].size_bytes;
  for (uint32_t i = index->successors.starts[op];
       i < index->successors.starts[op + 1]; ++i)
    --state->missing[index->successors.items[i]];
}

void luna_order_state_load(LunaOrderState *state, const uint64_t *done) {
  const LunaOrderIndex *index = state->index;
  uint32_t count = index->operator_count;
  memcpy(state->missing, index->predecessor_counts, sizeof(uint32_t) * count);
  memcpy(state->unread, index->reader_counts,
         sizeof(uint32_t) * index->value_count);
  memmove(state->done, done, sizeof(uint64_t) * state->word_count);
  state->live_bytes = index->start_bytes;
  state->ready_count = state->trail_count = state->done_count = 0;
  for (uint32_t op = 0; op < count; ++op)
    if (is_done(state, op))
      finish(state, op);
  for (uint32_t op = 0; op < count; ++op)
    if (state->missing[op] == 0 && !is_done(state, op))
      add_ready(state, op);
  state->steps += count;
}

int64_t luna_order_state_after(const LunaOrderState *state, uint32_t op) {
  const LunaOrderIndex *index = state->index;
  int64_t live = state->live_bytes + index->made_bytes[op];
  for (uint32_t i = index->reads.starts[op]; i < index->reads.starts[op + 1];
       ++i)
    if (state->unread[index->reads.items[i]] == 1)
      live -= index->values[index->reads.items[i]].size_bytes;
  return live;
}

void luna_order_state_run(LunaOrderState *state, uint32_t op) {
  const LunaOrderLists *successors = &state->index->successors;
  remove_ready(state, op);
  finish(state, op);
  state->done[op / 64] |= UINT64_C(1) << op % 64;
  state->trail[state->trail_count++] = op;
  for (uint32_t i = successors->starts[op]; i < successors->starts[op + 1]; ++i)
    if (state->missing[successors->items[i]] == 0)
      add_ready(state, successors->items[i]);
}

// Takes back the operator that ran last.
static void undo(LunaOrderState *state) {
  const LunaOrderIndex *index = state->index;
  uint32_t op = state->trail[--state->trail_count];
  for (uint32_t i = index->successors.starts[op];
       i < index->successors.starts[op + 1]; ++i) {
    uint32_t next = index->successors.items[i];
    if (state->missing[next]++ == 0)
      remove_ready(state, next);
  }
  for (uint32_t i = index->reads.starts[op]; i < index->reads.starts[op + 1];
       ++i)
    if (state->unread[index->reads.items[i]]++ == 0)
      state->live_bytes += index->values[index->reads.items[i]].size_bytes;
  state->live_bytes -= index->made_bytes[op];
  --state->done_count;
  state->done[op / 64] &= ~(UINT64_C(1) << op % 64);
  restore_ready(state, op);
}

typedef struct Chain {
  LunaOrderState *state;
  int64_t start_bytes, limit_bytes;
  uint32_t length, steps;
} Chain;

// Runs `op` and what becomes ready by it, until no more is live than at the
// start. Returns false, with all taken back, if that cannot be.
static bool run_chain(Chain *chain, uint32_t op) {
  LunaOrderState *state = chain->state;
  const LunaOrderLists *successors = &state->index->successors;
  ++state->steps;
  if (++chain->steps > CHAIN_STEPS || chain->length == CHAIN_LENGTH ||
      order_state_need(state, op) > chain->limit_bytes)
    return false;
  luna_order_state_run(state, op);
  ++chain->length;
  if (state->live_bytes <= chain->start_bytes)
    return true;
  for (uint32_t i = successors->starts[op]; i < successors->starts[op + 1]; ++i)
    if (state->missing[successors->items[i]] == 0 &&
        run_chain(chain, successors->items[i]))
      return true;
  --chain->length;
  undo(state);
  return false;
}

static bool run_any_chain(LunaOrderState *state, int64_t limit_bytes) {
  for (uint32_t i = 0; i < state->ready_count; ++i) {
    Chain chain = {state, state->live_bytes, limit_bytes, 0, 0};
    if (run_chain(&chain, state->ready[i]))
      return true;
  }
  return false;
}

// Runs an operator that leaves no more live than before.
static bool run_any_operator(LunaOrderState *state, int64_t limit_bytes) {
  for (uint32_t i = 0; i < state->ready_count; ++i) {
    uint32_t op = state->ready[i];
    ++state->steps;
    if (order_state_need(state, op) > limit_bytes ||
        luna_order_state_after(state, op) > state->live_bytes)
      continue;
    luna_order_state_run(state, op);
    return true;
  }
  return false;
}

void luna_order_state_close(LunaOrderState *state, int64_t limit_bytes) {
  bool one = plan_tries(&state->without, PLAN_TRICK_ORDER_FREE);
  bool chains = plan_tries(&state->without, PLAN_TRICK_ORDER_CHAINS);
  while ((one && run_any_operator(state, limit_bytes)) ||
         (chains && run_any_chain(state, limit_bytes)))
    ;
}
