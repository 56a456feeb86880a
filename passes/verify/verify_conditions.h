#ifndef VERIFY_CONDITIONS_H
#define VERIFY_CONDITIONS_H

// Conditions: i1 values as decision diagrams (luna_term_either). The condition
// under which control flow reaches a point is its path.

#include "verify_machine.h"

/// Returns the term of an i1 operator, and of a select of scalars; the
/// undefined term for another operator.
LunaTerm luna_condition_compute(LunaSide *side, MlirOperation op);

/// Returns the condition that `condition` does not hold.
LunaTerm luna_condition_not(LunaTerms *terms, LunaTerm condition);
/// Returns the condition that both hold.
LunaTerm luna_condition_and(LunaTerms *terms, LunaTerm a, LunaTerm b);
/// Returns the condition that one of both holds.
LunaTerm luna_condition_or(LunaTerms *terms, LunaTerm a, LunaTerm b);
/// Returns true if both never hold. Cheap where one is the other's negation, as
/// of buffers that branches exchange.
bool luna_condition_excludes(LunaTerms *terms, LunaTerm a, LunaTerm b);
/// Returns `condition` where `path` holds: LUNA_TERM_TRUE or LUNA_TERM_FALSE if
/// the path decides it.
LunaTerm luna_condition_where(LunaTerms *terms, LunaTerm path,
                              LunaTerm condition);
/// Returns the condition that `byte_count` bytes of the plan, from one on, are
/// not those of the program. What the program leaves undefined may be anything.
LunaTerm luna_condition_differs(LunaTerms *terms, LunaByte program,
                                LunaByte plan, int64_t byte_count);

#endif // VERIFY_CONDITIONS_H
