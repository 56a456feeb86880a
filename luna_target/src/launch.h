#ifndef LUNA_LAUNCH_H
#define LUNA_LAUNCH_H

#include <stdbool.h>

#include "luna/tiles.h"

/// Returns the limits that hold for launches of `kind` (LunaLaunchKind).
const LunaOperatorLimits *luna_launch_limits(const LunaMachine *machine,
                                             int32_t kind);

/// Checks one axis of a convolution for luna_launch_check.
bool luna_launch_check_axis(const LunaMachine *machine,
                            const LunaOperatorLimits *limits,
                            const LunaLaunchAxis *axis, LunaError *error);

#endif // LUNA_LAUNCH_H
