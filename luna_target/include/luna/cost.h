#ifndef LUNA_COST_H
#define LUNA_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The cycles of one operator: those of the unit, and those in which the host
/// core alone works.
typedef struct LunaCost {
  uint64_t unit_cycles;
  uint64_t host_cycles;
  uint64_t launches;
} LunaCost;

/// Returns the cycles from the start to the end of an operator.
static inline uint64_t luna_cost_cycles(LunaCost cost) {
  return cost.unit_cycles + cost.host_cycles;
}

/// Returns the cycles of a transfer of `bytes` in `direction`
/// (LunaDmaDirection), interpolated in the measured table.
uint64_t luna_cost_dma(const LunaMachine *machine, int32_t direction,
                       uint64_t bytes);

/// Returns the cost of an operator of the unit as its descriptor states it; one
/// function for each class: luna_cost_conv2d and so on. The simulator has
/// clocks of its own; bench/clocks compares.
#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  LunaCost luna_cost_##name(const LunaMachine *machine,                        \
                            const Luna##Type##Desc *desc);
#include "luna/units.def"

/// Returns the cycles of the unit for a copy that transposes a matrix, such as
/// rows of channels to planes, by the call trans_axis; 0 if it does not, or the
/// machine has no such call.
uint64_t luna_transpose_cycles(const LunaMachine *machine,
                               const LunaCopyDesc *desc);

/// Returns the cost of a copy on chip: one launch, each contiguous run rounded
/// up to whole cycles; or a transposition where it takes fewer.
LunaCost luna_cost_copy(const LunaMachine *machine, const LunaCopyDesc *desc);
/// Returns the cost of a fill, as of a copy.
LunaCost luna_cost_fill(const LunaMachine *machine, const LunaFillDesc *desc);

#ifdef __cplusplus
}
#endif

#endif // LUNA_COST_H
