#ifndef VALIDATE_CONDITIONS_H
#define VALIDATE_CONDITIONS_H

// Conditions: i1 values as decision diagrams (luna_term_either), and what is
// known of them where control flow has tested them.

#include "validate_side.h"

/// Returns the term of an i1 operator, and of a select of scalars; the
/// undefined term for another operator.
LunaTerm luna_condition_compute(LunaSide *side, MlirOperation op);

/// Takes note that `condition` holds, or not, from here on. Returns what
/// luna_condition_forget needs.
uint64_t luna_condition_assume(LunaTerms *terms, LunaTerm condition,
                               bool holds);
/// Forgets what was assumed since.
void luna_condition_forget(LunaTerms *terms, uint64_t mark);

/// Returns the condition as far as what is known leaves it open.
LunaTerm luna_condition_restrict(LunaTerms *terms, LunaTerm condition);

#endif // VALIDATE_CONDITIONS_H
