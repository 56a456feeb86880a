#ifndef LUNA_RESIDENT_WEIGHTS_H
#define LUNA_RESIDENT_WEIGHTS_H

#include <stdbool.h>

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Loads the weights of a loop in `block`, or below it, once, before it, if
/// that takes less time than loading them in every iteration.
///
/// Streaming stalls in every iteration for transfers that the computation does
/// not hide, always for the first load of each region; loading before the loop
/// stalls for every load, once. The outermost loop with a smaller sum keeps all
/// its weights on chip; loops without a constant trip count keep none. Emits an
/// error and returns false if an op has no cost or constants are not packed.
bool luna_keep_loop_weights(MlirBlock block, const LunaMachine *machine);

#endif // LUNA_RESIDENT_WEIGHTS_H
