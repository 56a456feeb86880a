#ifndef VALIDATE_OPERATORS_H
#define VALIDATE_OPERATORS_H

#include "validate_side.h"

/// Executes an operator without control flow on the abstract machine of `side`.
/// Returns false, with an error, if its semantics are unknown.
bool luna_validate_operator(LunaSide *side, MlirOperation op);

#endif // VALIDATE_OPERATORS_H
