#ifndef LUNA_COST_H
#define LUNA_COST_H

#include <stdint.h>

#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Cycles of one operator: on the unit and on the host core, one after the
/// other (the core launches the unit and waits for it).
typedef struct LunaCost {
  uint64_t unit_cycles;
  uint64_t host_cycles;
  uint64_t launches;
} LunaCost;

/// Cycles of one transfer of `bytes` in `direction` (LunaDmaDirection),
/// interpolated in the measured table.
uint64_t luna_cost_dma(const LunaMachine *machine, int32_t direction,
                       uint64_t bytes);

/// Cost of each operator of the runtime API as its descriptor states it. The
/// simulator charges exactly this.
LunaCost luna_cost_conv2d(const LunaMachine *machine,
                          const LunaConv2dDesc *desc);
LunaCost luna_cost_matmul(const LunaMachine *machine,
                          const LunaMatmulDesc *desc);
LunaCost luna_cost_eltwise(const LunaMachine *machine,
                           const LunaEltwiseDesc *desc);
LunaCost luna_cost_pool(const LunaMachine *machine, const LunaPoolDesc *desc);
LunaCost luna_cost_table(const LunaMachine *machine,
                         const LunaTableDesc *desc);
LunaCost luna_cost_copy(const LunaMachine *machine, const LunaCopyDesc *desc);
LunaCost luna_cost_fill(const LunaMachine *machine, const LunaFillDesc *desc);

#ifdef __cplusplus
}
#endif

#endif // LUNA_COST_H
