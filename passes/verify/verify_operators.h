#ifndef VERIFY_OPERATORS_H
#define VERIFY_OPERATORS_H

#include "verify_machine.h"

/// Executes an operator without control flow on the abstract machine of `side`.
/// Returns false, with an error, if its semantics are unknown.
bool luna_verify_operator(LunaSide *side, MlirOperation op);

/// Executes a product one output channel at a time, so that an operator and
/// the operators it was split into have equal results. Returns false, having
/// done nothing, unless its output channels are independent of each other and
/// its weights are constant. `unfolded` is what luna_verify_unfold returns, or
/// NULL.
bool luna_verify_channels(LunaSide *side, MlirOperation op,
                          const int32_t *unfolded);

/// Returns the bytes of a memref if all of them are constant, else NULL.
const uint8_t *luna_verify_constant(LunaSide *side, MlirValue value);

/// Returns true if the zero point of an operator's input is in its bias.
bool luna_verify_is_folded(MlirOperation op);

/// Returns the bias of such an operator as it was before, one number for each
/// output channel: the operator means the same with it and with the zero point.
/// Returns NULL, with an error, if its constants do not say so.
const int32_t *luna_verify_unfold(LunaSide *side, MlirOperation op);

/// Records which operands an operator of the unit has, so that none is mistaken
/// for the next. A bias of zeros is none.
void luna_record_segments(LunaRecord *record, MlirOperation op,
                          const int32_t *unfolded);
/// Records operand `i` and returns true if it is a bias unlike other operands:
/// of zeros, which is none, or with a folded zero point, which is recorded as
/// it was before.
bool luna_record_bias(LunaRecord *record, MlirOperation op, intptr_t i,
                      const int32_t *unfolded);

/// Adds a memory for each global of the program.
void luna_constants_load(LunaSide *side);

#endif // VERIFY_OPERATORS_H
