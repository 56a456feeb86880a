#ifndef LUNA_KERNELS_H
#define LUNA_KERNELS_H

// The simulation of each class of operators. One file, unit_*.c, has one class,
// with its function of the runtime API.

#include "luna/unit_port.h"
#include "luna/units.h"

/// The operands of a unit operator; those that it does not have are NULL. An
/// operator on two inputs alike has the left one as input, the right one as
/// weight.
typedef LunaProductOperands LunaKernelOperands;

/// Two functions for each class of luna/units.def:
///
/// luna_sim_judge_<name> returns what is wrong with a descriptor, or NULL. The
/// operands are in memory, and need only have a bias and a table.
///
/// luna_kernel_<name> computes what unit and core do, launch by launch, bit for
/// bit, in no time. The caller has checked the descriptor.
#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  const char *luna_sim_judge_##name(const Luna##Type##Desc *desc,              \
                                    const LunaKernelOperands *operands);       \
  void luna_kernel_##name(const Luna##Type##Desc *desc,                        \
                          const LunaKernelOperands *operands);
#include "luna/units.def"

/// The same for copies and fills on chip, which are not operators of a model.
const char *luna_sim_judge_copy(const LunaCopyDesc *desc);
const char *luna_sim_judge_fill(const LunaFillDesc *desc);
void luna_kernel_copy(const LunaCopyDesc *desc, const void *source,
                      void *target);
void luna_kernel_fill(const LunaFillDesc *desc, void *target);

/// The bytes of a sum in the scratch operand.
enum { LUNA_KERNEL_SUM_BYTES = 4 };

#endif // LUNA_KERNELS_H
