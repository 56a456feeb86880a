#ifndef UNIT_VECTOR_H
#define UNIT_VECTOR_H

#include "kernel_numbers.h"
#include "luna/unit_calls.h"
#include "luna/unit_port.h"

/// Computes a vector call, in no time.
void luna_kernel_vector(const LunaVectorCall *call,
                        const LunaVectorOperands *operands);

#endif // UNIT_VECTOR_H
