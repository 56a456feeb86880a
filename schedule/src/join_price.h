#ifndef LUNA_JOIN_PRICE_H
#define LUNA_JOIN_PRICE_H

// What the joins of a draft cost, as they are.

#include "draft.h"
#include "luna/model_problem.h"
#include "luna/plan_coalesce.h"

/// A price; less is better, member by member.
typedef struct LunaJoinPrice {
  int64_t excess_bytes; ///< beyond the capacity, with the least staging
  LunaProgramCycles cycles;
  int64_t bytes; ///< of the tensors with scratch
} LunaJoinPrice;

/// Computes the price of a draft by planning it. Loops whose number of turns is
/// not known take one. Fails like luna_model_problem and luna_plan_solve.
bool draft_price(LunaDraft *draft, LunaJoinPrice *price, LunaError *error);

/// Returns true if `a` is less than `b`.
bool draft_price_is_less(const LunaJoinPrice *a, const LunaJoinPrice *b);

/// As luna_model_problem; the item of an error is a step of the first model.
bool draft_problem(const LunaDraftModel *model,
                   const LunaModelProblemOptions *options, LunaArena *arena,
                   LunaModelProblem *view, LunaError *error);

/// Returns the cycles that the moves and the steps of such a problem take, in
/// its arena.
LunaCoalesceOptions draft_cycles(const LunaDraftModel *model,
                                 const LunaModelProblem *view);

#endif // LUNA_JOIN_PRICE_H
