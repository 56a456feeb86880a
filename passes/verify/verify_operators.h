#ifndef VERIFY_OPERATORS_H
#define VERIFY_OPERATORS_H

#include "verify_machine.h"

/// Executes an operator without control flow on the abstract machine of `side`.
/// Returns false, with an error, if its semantics are unknown.
bool luna_verify_operator(LunaSide *side, MlirOperation op);

/// Executes a product one output channel at a time, so that an operator and
/// the operators it was split into have equal results. Returns false, having
/// done nothing, unless its output channels are independent of each other and
/// its weights are constant.
bool luna_verify_channels(LunaSide *side, MlirOperation op);

/// Adds a memory for each global of the program.
void luna_constants_load(LunaSide *side);

#endif // VERIFY_OPERATORS_H
