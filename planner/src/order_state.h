#ifndef LUNA_ORDER_STATE_H
#define LUNA_ORDER_STATE_H

#include "order_graph.h"
#include "plan_tricks.h"

/// A set of finished operators, closed under what they need, and what follows
/// from it: what is live and which operators are ready.
typedef struct LunaOrderState {
  /// What is left out.
  LunaPlanWithout without;
  const LunaOrderIndex *index;
  /// The set, in words of 64 operators.
  uint64_t *done;
  uint32_t word_count;
  /// By operator: how many others it still needs. By value: its readers to
  /// come.
  uint32_t *missing, *unread;
  int64_t live_bytes;
  /// The operators that may run, by index, in the order in which they became
  /// ready (but for what was swapped into a gap); the place of each.
  uint32_t *ready, *ready_at;
  uint32_t ready_count;
  /// What ran since the last load, first to last, and how many are done in all.
  uint32_t *trail;
  uint32_t trail_count, done_count;
  /// Operators looked at.
  uint64_t steps;
} LunaOrderState;

/// Returns a state without finished operators, in `arena`.
LunaOrderState luna_order_state_make(const LunaOrderIndex *index,
                                     LunaArena *arena);

/// Makes the state that of a set. O(operators + reads).
void luna_order_state_load(LunaOrderState *state, const uint64_t *done);

/// Returns what is live while a ready operator runs.
static inline int64_t order_state_need(const LunaOrderState *state,
                                       uint32_t op) {
  return state->live_bytes + state->index->made_bytes[op] +
         state->index->scratch_bytes[op];
}

/// Returns what is live once a ready operator has run.
int64_t luna_order_state_after(const LunaOrderState *state, uint32_t op);

/// Runs a ready operator.
void luna_order_state_run(LunaOrderState *state, uint32_t op);

/// Runs all that loses nothing and needs no more than `limit_bytes`: operators
/// that leave no more live than before, and chains, each operator of which
/// needs the one before it and nothing else that is missing, that do so at
/// their end and not earlier.
///
/// What is live is submodular: where some order of the rest stays within the
/// limit, so does the one that runs such a chain first.
void luna_order_state_close(LunaOrderState *state, int64_t limit_bytes);

#endif // LUNA_ORDER_STATE_H
