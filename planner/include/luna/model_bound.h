#ifndef LUNA_MODEL_BOUND_H
#define LUNA_MODEL_BOUND_H

// A model as what it does to contents, for the program's bound.

#include "luna/model.h"
#include "luna/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes the problem whose luna_problem_bound no plan of `model` is below, in
/// `arena`: the model has been built for a machine.
///
/// Buffers are cut into the pieces that all accesses treat alike, aligned as
/// they may be in buffers at multiples of `align_bytes`. Copies and what
/// control flow passes on are moves; what is not known holds nothing.
LunaProblem *luna_model_bound_problem(const LunaModel *model,
                                      int64_t align_bytes, LunaArena *arena);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MODEL_BOUND_H
