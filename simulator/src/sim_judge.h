#ifndef LUNA_SIM_JUDGE_H
#define LUNA_SIM_JUDGE_H

// What the judges of kernels.h share: checks that the operands of an operator
// are consistent, so that its kernel stays within the boxes that were checked.

#include <stdbool.h>

#include "kernels.h"

/// Returns true if every extent is at least `least` and an operand has a sane
/// number of elements, also where strides of 0 repeat them.
bool luna_judge_has_extents(const LunaTensorDesc *desc, int32_t least);
bool luna_judge_is_same_shape(const LunaTensorDesc *a, const LunaTensorDesc *b);
/// Returns true for int8, int16 and int32.
bool luna_judge_is_integer(const LunaTensorDesc *desc);
bool luna_judge_are_between(const int32_t *values, int count, int32_t low,
                            int32_t high);

static inline bool luna_judge_is_between(int32_t value, int32_t low,
                                         int32_t high) {
  return value >= low && value <= high;
}

// The others return a message, or NULL if there is no fault.

/// Judges how 32-bit sums become `output`.
const char *luna_judge_requant(const LunaRequantDesc *requant,
                               const LunaTensorDesc *output);

#endif // LUNA_SIM_JUDGE_H
