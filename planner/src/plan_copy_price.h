#ifndef LUNA_PLAN_COPY_PRICE_H
#define LUNA_PLAN_COPY_PRICE_H

// What the moves of a program that copy cost along its paths.

#include "luna/plan_coalesce.h"
#include "plan_problem.h"

/// The moves of a program and what they take. All pointers point into the
/// arena that luna_plan_copies_make was given.
typedef struct LunaPlanCopies {
  const LunaProblem *problem;
  const LunaCoalesceOptions *options;
  uint64_t *parts;  ///< by node: of all paths, those that take it
  uint64_t *cycles; ///< by node: scratch of luna_plan_copies_price
} LunaPlanCopies;

/// Returns what the moves of `problem` take by `options`. O(nodes).
LunaPlanCopies luna_plan_copies_make(const LunaProblem *problem,
                                     const LunaCoalesceOptions *options,
                                     LunaArena *arena);

/// Returns `a` + `b`, or UINT64_MAX where that is less.
uint64_t luna_plan_add_cycles(uint64_t a, uint64_t b);

/// Returns the cycles of `move` if it copies.
uint64_t luna_plan_copy_cycles(const LunaCoalesceOptions *options,
                               LunaMoveId move);

/// Returns the cycles if the moves of `is_copy` copy, or all if that is NULL.
/// O(nodes + steps + moves).
LunaProgramCycles luna_plan_copies_price(const LunaPlanCopies *copies,
                                         const bool *is_copy);

#endif // LUNA_PLAN_COPY_PRICE_H
