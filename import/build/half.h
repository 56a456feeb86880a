#ifndef LUNA_HALF_H
#define LUNA_HALF_H

// Floating-point numbers of 16 bits, binary16 and bfloat16. Models store them;
// they are computed in binary32. The conversions are integer arithmetic, which
// every core has.

#include "luna-c/build_scalar.h"

/// Returns a number from its bits.
float luna_half_number(uint16_t bits, bool is_bfloat);
/// Converts `count` numbers, which lie anywhere, to those of binary32.
void luna_half_widen(const uint8_t *from, int64_t count, bool is_bfloat,
                     float *to);

/// Builds a tensor of f32 from one of f16 or bf16.
MlirValue luna_build_from_half(LunaBuilder *b, MlirValue value);
/// Builds a tensor of such a type from one of f32: rounded to nearest, ties to
/// even.
MlirValue luna_build_to_half(LunaBuilder *b, MlirValue value, MlirType type);
/// Builds a tensor of f32 whose numbers are rounded so.
MlirValue luna_build_round_half(LunaBuilder *b, MlirValue value, MlirType type);

#endif // LUNA_HALF_H
