#ifndef LUNA_SHAPE_LEARN_H
#define LUNA_SHAPE_LEARN_H

#include "luna/shape_facts.h"

/// What a constraint turns out to be.
typedef enum LunaVerdict { LUNA_HOLDS, LUNA_OPEN, LUNA_FAILS } LunaVerdict;

/// Draws conclusions from one constraint; what it leaves to hold of others is
/// added to the constraints.
LunaVerdict luna_learn(LunaFacts *facts, const LunaConstraint *constraint);

/// Returns true if `scope` lies in `outer` or is it.
bool luna_scope_is_within(const LunaFacts *facts, uint32_t scope,
                          uint32_t outer);

#endif // LUNA_SHAPE_LEARN_H
