#ifndef LUNA_STEP_CYCLES_H
#define LUNA_STEP_CYCLES_H

#include "program_model.h"

/// Adds to each step of a program in memref form the cycles that it takes of
/// core, unit and DMA engine on `machine`. Emits an error and returns false if
/// the runtime cannot express an op (op_cost.h).
bool luna_add_step_cycles(LunaProgramModel *program,
                          const LunaMachine *machine);

#endif // LUNA_STEP_CYCLES_H
