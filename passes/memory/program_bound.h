#ifndef LUNA_PROGRAM_BOUND_H
#define LUNA_PROGRAM_BOUND_H

// The least shared memory that a program needs, whatever is chosen for it.

#include <stdbool.h>

#include "luna/machine.h"
#include "luna/plan_record.h"
#include "mlir-c/IR.h"

/// Computes the bound of a function of buffers before any choice of a plan: no
/// plan is smaller that runs its operators whole and in this order.
///
/// Contents count (luna_problem_bound), in the slices that are read: copies,
/// views, values that branches and loops pass on add none, nor does what lies
/// in PSRAM or comes from a constant. An input is there from where it is loaded
/// to its last use, an output until it is complete. An operator needs its
/// operands and its results, apart unless it may work in place, and with
/// `total_bytes` its weights and the least scratch of its launches. What the
/// builder does not know (a slice at a dynamic offset is written, a layout is
/// not strided) counts nothing. Names belong to `arena`. Emits an error and
/// returns false if the function has more than can be planned.
bool luna_program_bound(MlirOperation func, const LunaMachine *machine,
                        LunaArena *arena, LunaBoundRecord *bound);

#endif // LUNA_PROGRAM_BOUND_H
