#ifndef VALIDATE_OPERATORS_H
#define VALIDATE_OPERATORS_H

#include "validate_side.h"

/// Executes an operator without control flow on the side's abstract machine.
/// False, with an error, for one whose meaning is not known.
bool luna_validate_operator(LunaSide *side, MlirOperation op);

#endif // VALIDATE_OPERATORS_H
