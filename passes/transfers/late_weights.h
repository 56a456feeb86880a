#ifndef LUNA_LATE_WEIGHTS_H
#define LUNA_LATE_WEIGHTS_H

#include "choose_late.h"
#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Finds the weights of a function without transfers; none is late. Emits an
/// error and returns false if an op has no cost or constants are not packed.
bool luna_find_weights(MlirOperation func, const LunaMachine *machine,
                       LunaLateWeights *weights);

/// Marks the operators of the function whose weights are late, and no others.
void luna_mark_late(MlirOperation func, const LunaLateWeights *weights);

#endif // LUNA_LATE_WEIGHTS_H
