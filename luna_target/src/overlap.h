#ifndef LUNA_OVERLAP_H
#define LUNA_OVERLAP_H

#include "launch_cost.h"

/// Returns the cycles in which the core and the unit both work on an operator
/// whose scratch has two slots: the core's part of each tile takes place while
/// the unit computes the first launch of the next. O(tiles of y and x).
uint64_t luna_overlap_cycles(const LunaLaunchContext *context,
                             const LunaAxisClasses *y, const LunaAxisClasses *x,
                             const LunaChannels *channels, uint64_t batches);

#endif // LUNA_OVERLAP_H
