#ifndef LUNA_KERNELS_H
#define LUNA_KERNELS_H

// What the simulator knows of each class of operators; one file, unit_*.c, has
// it all for one class, with its call of the runtime API.

#include "luna/units.h"

/// The operands of a unit operator; those that it does not have are NULL. An
/// operator on two inputs alike has the left one as input, the right one as
/// weight.
typedef struct LunaKernelOperands {
  const void *input, *weight, *bias, *table;
  void *scratch, *output;
} LunaKernelOperands;

/// Two functions for each class of luna/units.def:
///
/// luna_sim_judge_<name> says what is wrong with a descriptor, NULL for a sound
/// one. The operands lie in memory, and need only have a bias and a table.
///
/// luna_kernel_<name> computes what the unit does, launch by launch, bit for
/// bit. The caller has checked that the descriptor is sound.
#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  const char *luna_sim_judge_##name(const Luna##Type##Desc *desc,              \
                                    const LunaKernelOperands *operands);       \
  void luna_kernel_##name(const Luna##Type##Desc *desc,                        \
                          const LunaKernelOperands *operands);
#include "luna/units.def"

/// The same for copies and fills on chip, which are no operators of a model.
const char *luna_sim_judge_copy(const LunaCopyDesc *desc);
const char *luna_sim_judge_fill(const LunaFillDesc *desc);
void luna_kernel_copy(const LunaCopyDesc *desc, const void *source,
                      void *target);
void luna_kernel_fill(const LunaFillDesc *desc, void *target);

/// Bytes of one sum in the scratch operand.
enum { LUNA_KERNEL_SUM_BYTES = 4 };

#endif // LUNA_KERNELS_H
