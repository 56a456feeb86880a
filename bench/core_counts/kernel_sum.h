#ifndef KERNEL_SUM_H
#define KERNEL_SUM_H

// Sums of two tensors.

#include "kernels.h"

/// How the operands of a sum are scaled.
typedef struct LunaBenchScales {
  int32_t type, rounding, multipliers[2], shift;
} LunaBenchScales;

/// Of the left operand `padding` channels are padding; between channels of the
/// output there is a gap.
typedef struct LunaBenchRows {
  int32_t channels, padding, gap;
} LunaBenchRows;

/// Returns a sum of `rows` rows, which the core computes.
LunaEltwiseDesc luna_bench_sum(const LunaBenchScales *scales, int32_t rows,
                               LunaBenchRows each);

/// Runs a sum between marks; what the unit computes of it may have `scratch`.
void luna_bench_run_sum(const LunaEltwiseDesc *desc, void *scratch);

#endif // KERNEL_SUM_H
