#ifndef LUNA_PLAN_SAMPLES_H
#define LUNA_PLAN_SAMPLES_H

#include "luna/arena.h"
#include "luna/plan_eval.h"

/// Bindings of symbols: rows of one value for each.
typedef struct LunaPlanSamples {
  const int64_t *values;
  uint32_t count, symbol_count;
} LunaPlanSamples;

static inline const int64_t *plan_sample(const LunaPlanSamples *samples,
                                         uint32_t index) {
  return &samples->values[(uint64_t)index * samples->symbol_count];
}

/// Returns bindings from all over the bounds, in geometric steps: a grid for up
/// to three symbols; for more, each symbol at its bounds while the others are
/// in the middle, and all at their lower, middle and upper values.
LunaPlanSamples luna_plan_samples_make(const LunaPlanSymbol *symbols,
                                       uint32_t symbol_count, LunaArena *arena);

#endif // LUNA_PLAN_SAMPLES_H
