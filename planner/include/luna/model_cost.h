#ifndef LUNA_MODEL_COST_H
#define LUNA_MODEL_COST_H

// What the paths of a model are predicted to cost.

#include "luna/model.h"
#include "luna/plan_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Predicts the cycles of these paths and of the slowest one, which is the last
/// unless it is among them. luna_timing_fits holds for `model`. Names and
/// arrays are in `arena`, or those given.
LunaCostRecord luna_model_cost(const LunaModel *model, const char *const *paths,
                               uint32_t count, LunaArena *arena);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MODEL_COST_H
