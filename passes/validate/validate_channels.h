#ifndef VALIDATE_CHANNELS_H
#define VALIDATE_CHANNELS_H

#include "validate_side.h"

/// Executes a product channel by channel, if its output channels can be
/// computed apart and its weights are constant: then one operator and the
/// several it was cut into give the same values. False, and nothing done, for
/// another.
bool luna_validate_channels(LunaSide *side, MlirOperation op);

#endif // VALIDATE_CHANNELS_H
