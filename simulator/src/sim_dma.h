#ifndef LUNA_SIM_DMA_H
#define LUNA_SIM_DMA_H

#include "sim_state.h"

/// Adds a hazard for every transfer that was never awaited.
void luna_sim_end_transfers(LunaSimulator *sim);

#endif // LUNA_SIM_DMA_H
