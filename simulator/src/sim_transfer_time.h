#ifndef LUNA_SIM_TRANSFER_TIME_H
#define LUNA_SIM_TRANSFER_TIME_H

#include "luna/machine.h"

/// Returns the cycles in which the DMA engine moves `bytes`, rounded up: on the
/// straight lines that join the measured points of the machine file, the last
/// of them prolonged; below the first point on the fitted line, but never above
/// that point; on the fitted line alone without a table. O(points).
uint64_t luna_sim_transfer_cycles(const LunaDmaCost *cost, uint64_t bytes);

#endif // LUNA_SIM_TRANSFER_TIME_H
