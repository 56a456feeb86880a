#ifndef LUNA_RESIDENT_WEIGHTS_H
#define LUNA_RESIDENT_WEIGHTS_H

#include <stdbool.h>

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Loads the weights of a loop once, before it, where that takes less time
/// than loading them in every iteration.
///
/// Streaming stalls in every iteration for what the computation does not hide,
/// always for the first load of each region; loading before the loop stalls for
/// every load, once. The outermost loop of which the sum is smaller keeps all
/// its weights on chip; loops whose trip count is not constant keep none. Emits
/// an error and gives false where an op has no cost or constants are not
/// packed.
bool luna_keep_loop_weights(MlirOperation func, const LunaMachine *machine);

#endif // LUNA_RESIDENT_WEIGHTS_H
