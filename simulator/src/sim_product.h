#ifndef LUNA_SIM_PRODUCT_H
#define LUNA_SIM_PRODUCT_H

// What the calls of a convolution and of a matrix product share.

#include "kernels.h"
#include "luna/launches.h"
#include "luna/tiles.h"
#include "sim_operands.h"

/// A convolution or matrix product: what both descriptors say.
typedef struct LunaSimProduct {
  LunaUnitClass unit_class;
  const void *desc; ///< of the class
  const LunaTensorDesc *input, *weight, *bias, *table, *scratch, *output;
  int32_t input_zero_point, weight_zero_point;
  int32_t classes; ///< of borders (luna/border.h)
  const LunaRequantDesc *requant;
  const LunaTiling *tiling;
  /// What is wrong with the shapes, or NULL.
  const char *shape_fault;
  LunaTiles tiles; ///< from the first on
  /// Computes the record of the launches of `desc`; see luna/launches.h.
  const LunaProductRecord *(*launches)(const void *desc, LunaArena *arena,
                                       int32_t *word_count, LunaError *error);
} LunaSimProduct;

/// Judges the descriptor; see kernels.h.
const char *luna_sim_product_judge(const LunaSimProduct *product,
                                   const LunaKernelOperands *operands);

/// Computes the product without a simulator.
void luna_sim_product_compute(const LunaSimProduct *product,
                              const LunaKernelOperands *operands);

/// A call of the runtime: judges it and checks every launch; the core prepares
/// the operator and launches `found`, the record that the program passes. Adds
/// a hazard instead if that is not the record of the descriptor, or if there is
/// none.
void luna_sim_product_call(LunaSimProduct *product,
                           const LunaProductRecord *found, const int32_t *ids,
                           const LunaKernelOperands *operands);

#endif // LUNA_SIM_PRODUCT_H
