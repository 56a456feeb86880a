#ifndef VALIDATE_CHANNELS_H
#define VALIDATE_CHANNELS_H

#include "validate_side.h"

/// Executes a product one output channel at a time, so that an operator and
/// the operators it was split into have equal results. Returns false, having
/// done nothing, unless its output channels are independent of each other and
/// its weights are constant.
bool luna_validate_channels(LunaSide *side, MlirOperation op);

#endif // VALIDATE_CHANNELS_H
