#ifndef LUNA_KERNELS_H
#define LUNA_KERNELS_H

// What the unit computes, launch by launch, bit for bit. The callers have
// checked that the operands fit each other and lie in memory.

#include <stdint.h>

#include "luna/runtime.h"

/// The operands of a convolution or matrix product (left, right in place of
/// input, weight); bias, table and scratch may be NULL.
typedef struct LunaKernelOperands {
  const void *input, *weight, *bias, *table;
  void *scratch, *output;
} LunaKernelOperands;

void luna_kernel_conv2d(const LunaConv2dDesc *desc,
                        const LunaKernelOperands *operands);
void luna_kernel_matmul(const LunaMatmulDesc *desc,
                        const LunaKernelOperands *operands);
void luna_kernel_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                         const void *rhs, void *output);
void luna_kernel_pool(const LunaPoolDesc *desc, const void *input,
                      void *output);
void luna_kernel_table(const LunaTableDesc *desc, const void *input,
                       const void *table, void *output);
void luna_kernel_copy(const LunaCopyDesc *desc, const void *source,
                      void *target);
void luna_kernel_fill(const LunaFillDesc *desc, void *target);

/// Bytes of one sum in the scratch operand.
enum { LUNA_KERNEL_SUM_BYTES = 4 };

#endif // LUNA_KERNELS_H
