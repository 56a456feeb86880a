#ifndef LUNA_CONDITIONS_H
#define LUNA_CONDITIONS_H

// What the branches of a function go by. Two that go by one value, or by a
// value and its negation, cannot be decided independently. (Two switches with
// other cases are taken to be.)

#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/map.h"

/// Zero-initialise; grows in the arena given to luna_condition_of.
typedef struct LunaConditions {
  LunaMap values, cases, pairs;
} LunaConditions;

/// A condition: its number, from 0 in order of first use.
typedef struct LunaCondition {
  uint32_t number;
  bool is_negated; ///< an scf.if that goes the other way
  /// The innermost loop that computes it anew in each turn, or null.
  MlirOperation loop;
} LunaCondition;

/// Returns the condition of `branch`, an scf.if or scf.index_switch.
LunaCondition luna_condition_of(LunaConditions *conditions,
                                MlirOperation branch, LunaArena *arena);

#endif // LUNA_CONDITIONS_H
