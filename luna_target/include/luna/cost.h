#ifndef LUNA_COST_H
#define LUNA_COST_H

#include <stdbool.h>
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
///
/// A launch of a convolution costs its launch cycles, the reading of both
/// operands (with the unit's alignment) and the slower of computing and
/// writing; the launches are those of luna/tiles.h. Vector launches for partial
/// sums and the core's requantisation are added where the tiling needs them.
LunaCost luna_cost_conv2d(const LunaMachine *machine,
                          const LunaConv2dDesc *desc);
/// Cost of a matrix product, as of a convolution.
LunaCost luna_cost_matmul(const LunaMachine *machine,
                          const LunaMatmulDesc *desc);

/// Says whether the unit computes an element-wise operator: neither input has a
/// multiplier or zero point and the unit requantises as asked. If not, the core
/// does.
bool luna_eltwise_is_native(const LunaMachine *machine,
                            const LunaEltwiseDesc *desc);
/// Cost of an element-wise operator: one vector launch, or on the core one
/// requantisation for each scale and one operation an element.
LunaCost luna_cost_eltwise(const LunaMachine *machine,
                           const LunaEltwiseDesc *desc);
/// Cost of pooling: that of a depthwise convolution of the same shape; an
/// average is scaled by the core unless the unit has multipliers.
LunaCost luna_cost_pool(const LunaMachine *machine, const LunaPoolDesc *desc);
/// Cost of an activation by table: one launch.
LunaCost luna_cost_table(const LunaMachine *machine, const LunaTableDesc *desc);
/// Cost of a copy on chip: one launch, each contiguous run rounded up to whole
/// cycles.
LunaCost luna_cost_copy(const LunaMachine *machine, const LunaCopyDesc *desc);
/// Cost of a fill, as of a copy.
LunaCost luna_cost_fill(const LunaMachine *machine, const LunaFillDesc *desc);

#ifdef __cplusplus
}
#endif

#endif // LUNA_COST_H
