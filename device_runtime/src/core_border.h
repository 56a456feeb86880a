#ifndef CORE_BORDER_H
#define CORE_BORDER_H

#include "luna/unit_port.h"

/// Adds to the sums of the tile of `launch`, which is complete, the constants
/// of its borders.
void luna_core_add_borders(const LunaProductRecord *record,
                           const LunaLaunchRecord *launch,
                           const LunaProductOperands *operands);

#endif // CORE_BORDER_H
