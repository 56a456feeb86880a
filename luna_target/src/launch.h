#ifndef LUNA_LAUNCH_H
#define LUNA_LAUNCH_H

#include <stdbool.h>

#include "luna/tiles.h"

/// Returns the limits that hold for launches of `kind` (LunaLaunchKind).
const LunaOperatorLimits *luna_launch_limits(const LunaMachine *machine,
                                             int32_t kind);

/// Returns the input rows of one of the pieces into which a call cuts them.
int64_t luna_launch_strip_rows(const LunaLaunchAxis *axis);

/// Returns the least number of pieces in which one call computes a launch of
/// whole planes, 0 if there is none. O(rows).
int32_t luna_launch_strips(const LunaMachine *machine, const LunaLaunch *launch,
                           int32_t input_type);

/// Checks launch->y.strips for luna_launch_check.
bool luna_launch_check_strips(const LunaMachine *machine,
                              const LunaLaunch *launch, LunaError *error);

/// Checks one axis of a convolution for luna_launch_check.
bool luna_launch_check_axis(const LunaMachine *machine,
                            const LunaOperatorLimits *limits,
                            const LunaLaunchAxis *axis, LunaError *error);

#endif // LUNA_LAUNCH_H
