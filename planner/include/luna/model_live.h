#ifndef LUNA_MODEL_LIVE_H
#define LUNA_MODEL_LIVE_H

// How much of a model is live when.

#include "luna/model_problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sets live_bytes[0..steps.count) to what is live at each step that accesses
/// buffers of the problem with these options, scratch left out; 0 at the
/// others.
///
/// Counts buffers in the lifetimes of luna_problem_lifetimes; with
/// `has_staging`, where there is no staging yet, the constants of an operator
/// of the unit, and those of the next one, which are loaded meanwhile. Results
/// lie beside operands, also where they may replace them. Fails as
/// luna_model_problem does.
bool luna_model_live_bytes(const LunaModel *model,
                           const LunaModelProblemOptions *options,
                           int64_t *live_bytes, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MODEL_LIVE_H
