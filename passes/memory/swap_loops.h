#ifndef LUNA_SWAP_LOOPS_H
#define LUNA_SWAP_LOOPS_H

// Chains of values from the start of a turn to its end, in two buffers that the
// loop carries.

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

/// Returns true if `func` has an scf.for `index`, counted by carried values, in
/// the form of luna_coalesce_loop_buffers, which ends its turns by a copy to
/// the carried buffer and contains a branch.
bool luna_has_swap_loop(MlirOperation func, uint32_t index);

/// Rewrites carried value `index` of `func`: the loop carries its buffer and a
/// free one, which the branches and operators of a turn exchange, and at the
/// end of the turn, if the value is dead then, the free one is what was copied.
/// Returns false if what is copied is neither; `func` is to be destroyed then.
bool luna_swap_loop(MlirOperation func, uint32_t index);

#endif // LUNA_SWAP_LOOPS_H
