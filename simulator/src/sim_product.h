#ifndef LUNA_SIM_PRODUCT_H
#define LUNA_SIM_PRODUCT_H

// What the calls of a convolution and of a matrix product share.

#include "kernels.h"
#include "luna/launches.h"
#include "sim_operands.h"

/// The fields that both descriptors have.
typedef struct LunaProductDesc {
  const LunaTensorDesc *input, *weight, *bias, *table, *scratch, *output;
  int32_t input_zero_point, weight_zero_point;
  const LunaRequantDesc *requant;
  const LunaTiling *tiling;
} LunaProductDesc;

/// Judges the operands' types and extents; see kernels.h.
const char *luna_judge_product(const LunaProductDesc *desc);
/// Judges zero points, bias and how the sums become the output.
const char *luna_judge_sums(const LunaProductDesc *desc,
                            const LunaKernelOperands *operands);

/// Begins a call as luna_sim_unit_begin does. `whole` is the descriptor.
bool luna_sim_product_begin(LunaSimCall *call, LunaUnitClass unit_class,
                            const void *whole, const int32_t *ids,
                            const LunaProductDesc *desc,
                            const LunaKernelOperands *operands);

/// Checks every launch of `tiles`; adds a hazard for what the unit does not
/// support. Returns false if one would exceed the scratch.
bool luna_sim_product_fits(LunaSimCall *call, const LunaProductDesc *desc,
                           const LunaKernelOperands *operands,
                           LunaTiles *tiles);

/// The core prepares the operator and launches `found`, the record that the
/// program passes. Adds a hazard instead if that is not `expected`, the record
/// of its descriptor, or if there is none (`error`).
void luna_sim_product_run(LunaSimCall *call, const LunaProductRecord *expected,
                          const LunaProductRecord *found,
                          const LunaError *error,
                          const LunaKernelOperands *operands);

#endif // LUNA_SIM_PRODUCT_H
