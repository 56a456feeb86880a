#ifndef LUNA_CORE_SCALE_H
#define LUNA_CORE_SCALE_H

// Operands of int8 of an elementwise operator, scaled by products of 32 bits.

#include <stdint.h>

#include "luna/eltwise_rows.h"

/// What is computed of an element by its form, which is not LUNA_SCALE_WIDE.
///
/// The product of an element less its zero point and the multiplier has at most
/// 40 bits, so that of the multiplier's halves is added up: for a shift up to
/// 16, that of the upper half is shifted to the left, from there on that of the
/// lower half by 16 to the right. What rounds is part of `round`, else `base`.
typedef struct LunaCoreScale {
  LunaScaleForm form;
  int32_t high, low; ///< halves of the multiplier
  int32_t round, inner;
  int32_t base, outer;
  int32_t zero_point, borrow; ///< what double rounding adds below it
} LunaCoreScale;

/// Returns the scale of `form`, that of the other parameters.
LunaCoreScale luna_core_scale(LunaScaleForm form, int32_t zero_point,
                              int32_t multiplier, int32_t shift,
                              int32_t rounding);

/// Adjacent elements; a stride of 0 repeats one.
typedef struct LunaCoreBytes {
  const int8_t *at;
  int32_t stride;
} LunaCoreBytes;

/// Writes `count` sums, differences or products (LunaEltwiseKind) of scaled
/// elements, modulo 2^32.
void luna_core_combine(int32_t kind, const LunaCoreScale *lhs,
                       const LunaCoreScale *rhs, LunaCoreBytes left,
                       LunaCoreBytes right, int32_t *values, int32_t count);

/// Writes entry left + right of `table`, which points to that of 0, for `count`
/// elements, `stride` apart.
void luna_core_look_up_sums(const int8_t *table, LunaCoreBytes left,
                            LunaCoreBytes right, int8_t *to, int32_t stride,
                            int32_t count);

#endif // LUNA_CORE_SCALE_H
